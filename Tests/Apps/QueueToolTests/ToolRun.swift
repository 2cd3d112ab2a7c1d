import EventDeliveryTesting
import Foundation
import Testing

/// A run of the built tool in a separate process.
struct ToolRun: Sendable {
    /// The exit code.
    let code: Int32
    /// The lines of the standard output.
    let lines: [String]
    /// The standard error.
    let errors: String

    /// Runs the tool to its end, optionally with a limit for the size of written files.
    @discardableResult
    init(_ arguments: [String], maximumFileKilobytes: Int? = nil) async throws {
        let folder = try TemporaryQueue()
        let errors = folder.url.appending(path: "errors")
        let process = Process()
        let output = Pipe()
        if let maximumFileKilobytes {
            process.executableURL = URL(filePath: "/bin/bash")
            let command = "ulimit -f \(maximumFileKilobytes) && exec \"$0\" \"$@\""
            process.arguments = ["-c", command, ToolRun.binary.path] + arguments
        } else {
            process.executableURL = ToolRun.binary
            process.arguments = arguments
        }
        process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder.url.path]) { _, own in own }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try Data().write(to: errors)
        process.standardError = try FileHandle(forWritingTo: errors)
        let (ends, end) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { end.yield($0.terminationStatus) }
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        code = try #require(await ends.first { _ in true })
        lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
        self.errors = try String(contentsOf: errors, encoding: .utf8)
        // The tool has deleted its copy of the queue.
        #expect(folder.files == ["errors"])
    }

    /// The executable next to the test bundle.
    static var binary: URL {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "QueueTool")
    }
}
