import Foundation
import Testing

/// One run of the built demo as a process of its own.
struct DemoRun: Sendable {
    /// How it ended.
    let code: Int32
    /// What it wrote to stdout.
    let output: String
    /// What it wrote to stderr.
    let errors: String

    /// Runs the demo to its end, with variables beside those of this process.
    init(_ arguments: [String], environment: [String: String] = [:]) async throws {
        let folder = try Folder()
        defer { folder.remove() }
        let (output, errors) = (folder.file("output"), folder.file("errors"))
        let process = Process()
        process.executableURL = try DemoRun.binary
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, own in own }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try DemoRun.handle(output)
        process.standardError = try DemoRun.handle(errors)
        let (ends, end) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { end.yield($0.terminationStatus) }
        try process.run()
        code = try #require(await ends.first { _ in true })
        self.output = try String(contentsOf: output, encoding: .utf8)
        self.errors = try String(contentsOf: errors, encoding: .utf8)
    }

    /// The result as JSON says it: the last line of stdout.
    var summary: DemoSummary {
        get throws {
            let line = try #require(output.split(separator: "\n").last)
            return try JSONDecoder().decode(DemoSummary.self, from: Data(line.utf8))
        }
    }

    /// What it wrote to stdout, with one space between words, whatever the widths of a table's columns.
    var words: String { output.split(separator: " ").joined(separator: " ") }

    /// The temporary queue that was kept because something is left in it; empty when none was.
    var keptQueue: String {
        let line = errors.split(separator: "\n").first { $0.hasPrefix("what is left stays in ") } ?? ""
        return String(line.dropFirst(22).prefix { $0 != ";" })
    }

    /// The executable beside the test bundle.
    static var binary: URL {
        get throws {
            let places =
                [Bundle.main.bundleURL, URL(fileURLWithPath: CommandLine.arguments[0])]
                + Bundle.allBundles.map(\.bundleURL)
            let folders = places.flatMap { [$0, $0.deletingLastPathComponent()] }
            let found = folders.map { $0.appendingPathComponent("TrackerDemo") }
                .first { FileManager.default.isExecutableFile(atPath: $0.path) }
            return try #require(found, "the demo is not built beside the tests")
        }
    }

    private static func handle(_ file: URL) throws -> FileHandle {
        try Data().write(to: file)
        return try FileHandle(forWritingTo: file)
    }
}
