import EventDeliveryTesting
import EventTracking
import Foundation
import Testing

@testable import EventOutbox

/// Tests of the damaged files kept in a directory for inspection.
@Suite struct DamagedFilesTests {
    private let queue: TemporaryQueue
    private let directory: OutboxDirectory

    init() throws {
        queue = try TemporaryQueue()
        directory = try OutboxDirectory(queue.url)
    }

    @Test func `a damaged file is moved with all its companions, and deleted only by request`() throws {
        let path = try queue.makeFile()
        for suffix in ["-wal", "-shm", "-journal", ".checkpoint", ".reserve"] {
            try Data(suffix.utf8).write(to: URL(filePath: path + suffix))
        }

        let moved = try directory.moveAside()
        _ = try queue.makeFile()
        let again = try directory.moveAside()

        #expect(queue.files == ["corrupt-1-queue.db", "corrupt-2-queue.db"])
        for suffix in ["-wal", "-shm", "-journal", ".checkpoint"] {
            #expect(try String(contentsOfFile: moved + suffix, encoding: .utf8) == suffix)
        }
        #expect(!FileStatus.isRegular(at: moved + ".reserve"))
        #expect(FileStatus.isRegular(at: again))
        try directory.removeSetAside()
        #expect(queue.files.isEmpty)
    }

    @Test func `damaged files are kept for their time, and the oldest ones are deleted if all are too large`() throws {
        let now = Timestamp(microseconds: 1_800_000_000_000_000)
        for age in [0.0, 100, 200, 4_000] {
            try Data(count: 1_000).write(to: URL(filePath: queue.makeFile()))
            let moved = URL(filePath: try directory.moveAside()).deletingLastPathComponent().path
            let date = Date(timeIntervalSince1970: 1_800_000_000 - age)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: moved)
        }

        let age = Duration.seconds(3_600)
        #expect(try directory.trimSetAside(now: now, age: age, bytes: 10_000) == 1)
        #expect(queue.files.map { $0.prefix(9) } == ["corrupt-1", "corrupt-2", "corrupt-3"])
        #expect(try directory.trimSetAside(now: now, age: age, bytes: 1_500) == 2)
        #expect(queue.files.map { $0.prefix(9) } == ["corrupt-1"])
        #expect(try directory.trimSetAside(now: now.advanced(bySeconds: -9_999), age: age, bytes: 1_000) == 0)
    }

    @Test func `a foreign companion is moved aside, and the queue file's own log stays`() throws {
        let path = try queue.makeFile()
        try Data("log".utf8).write(to: URL(filePath: path + "-wal"))
        try FileManager.default.createSymbolicLink(atPath: path + "-shm", withDestinationPath: path)

        try directory.moveStraysAside()

        #expect(queue.files == ["corrupt-1-queue.db", "queue.db", "queue.db-wal"])
        #expect(try String(contentsOfFile: path + "-wal", encoding: .utf8) == "log")
    }

    @Test(arguments: ForeignFile.allCases)
    func `a log that does not belong to this user alone is moved aside before SQLite reads it`(file: ForeignFile) throws
    {
        let elsewhere = try TemporaryQueue()
        let path = try queue.makeFile()
        try file.create(at: path + "-wal", target: elsewhere.makeFile())

        try directory.moveStraysAside()

        #expect(queue.files == ["corrupt-1-queue.db", "queue.db"])
    }

    @Test func `a log is moved aside only if its queue file is surely missing`() throws {
        try Data("log".utf8).write(to: URL(filePath: queue.path + "-wal"))
        // The link leads nowhere, but its name exists.
        try FileManager.default.createSymbolicLink(atPath: queue.path, withDestinationPath: "nowhere")

        try directory.moveStraysAside()
        #expect(queue.files == ["queue.db", "queue.db-wal"])
        try FileManager.default.removeItem(atPath: queue.path)
        try directory.moveStraysAside()

        #expect(queue.files == ["corrupt-1-queue.db"])
        let moved = queue.url.appending(path: "corrupt-1-queue.db/queue.db-wal")
        #expect(try String(contentsOf: moved, encoding: .utf8) == "log")
    }

    @Test func `a rollback journal beside a file with more than one page is moved aside`() throws {
        let path = try queue.makeFile()
        let journal = URL(filePath: path + "-journal")
        try Data("journal".utf8).write(to: journal)

        try Data(count: 4_096).write(to: URL(filePath: path))
        try directory.moveStraysAside()
        #expect(queue.files == ["queue.db", "queue.db-journal"])
        try Data(count: 8_192).write(to: URL(filePath: path))
        try directory.moveStraysAside()

        #expect(queue.files == ["corrupt-1-queue.db", "queue.db"])
    }
}
