import CoreTracker
import EventDeliveryTesting
import Foundation
import Testing

@testable import QueueTool

/// Tests of the tool's private copy of a queue.
@Suite(.timeLimit(.minutes(5))) struct CopyTests {
    @Test func `a copy of a sparse queue keeps its holes`() async throws {
        let scene = try QueueScene()
        try await scene.run(["a"], script: QueueScene.closed)
        let file = QueueFile(path: scene.queue.path)
        try FileHandle(forUpdating: URL(filePath: file.path)).truncate(atOffset: 1 << 30)
        let folder = try TemporaryQueue()

        let copy = try QueueCopy(of: file, into: folder.url, output: Output())
        let listed = try await ToolRun([scene.path])

        var status = stat()
        #expect(unsafe stat(copy.path, &status) == 0)
        #expect(status.st_size == 1 << 30)
        #expect(status.st_blocks * 512 < 1_000_000, "the copy takes \(status.st_blocks * 512) bytes")
        #expect(listed.lines.last?.hasPrefix("T/lines         1          0        1 ") == true, "\(listed)")
    }

    @Test func `a queue that does not fit into the free space is not copied`() async throws {
        let scene = try QueueScene()
        try await scene.run(["a"], script: QueueScene.closed)
        let file = QueueFile(path: scene.queue.path)
        let folder = try TemporaryQueue()

        let error = #expect(throws: ToolError.self) {
            try QueueCopy(of: file, into: folder.url, output: Output(), freeBytes: { _ in 4_096 })
        }

        #expect(error?.code == .failed)
        #expect(error?.message.contains(" has no space for a copy of ") == true)
        #expect(error?.message.contains(": only 4,096 bytes are free; set TMPDIR to another directory") == true)
        #expect(folder.files == [])
    }

    @Test func `a copy that exceeds the limit of a file's size ends with an error`() async throws {
        let scene = try QueueScene()
        try await scene.run(["a"], script: QueueScene.closed)

        let run = try await ToolRun([scene.path], maximumFileKilobytes: 8)

        #expect(run.code == 74 && run.lines == [])
        #expect(run.errors.contains(" has no space for a copy of "), "\(run)")
        #expect(run.errors.contains(": File too large; set TMPDIR to another directory"), "\(run)")
    }
}
