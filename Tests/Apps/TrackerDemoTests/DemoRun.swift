import Foundation
import Testing

/// A run of the built demo in a separate process.
struct DemoRun: Sendable {
    /// The exit code.
    let code: Int32
    /// The standard output.
    let output: String
    /// The standard error.
    let errors: String

    /// Runs the demo to its end, with additional environment variables.
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

    /// The result in the JSON on the last line of stdout.
    var summary: DemoSummary {
        get throws {
            let line = try #require(output.split(separator: "\n").last)
            return try JSONDecoder().decode(DemoSummary.self, from: Data(line.utf8))
        }
    }

    /// The standard output with single spaces between words, independent of the widths of table columns.
    var words: String { output.split(separator: " ").joined(separator: " ") }

    /// The path of the temporary queue that was kept for its events, or empty.
    var keptQueue: String {
        let line = errors.split(separator: "\n").first { $0.hasPrefix("what is left stays in ") } ?? ""
        return String(line.dropFirst(22).prefix { $0 != ";" })
    }

    /// The executable next to the test bundle.
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
