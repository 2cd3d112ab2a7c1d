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

    /// The path of the temporary queue, if it was kept for its events, or empty.
    var keptQueue: String {
        let line = errors.split(separator: "\n").first { $0.hasPrefix("the remaining events are in ") } ?? ""
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

/// The demo's output with `--json`.
struct DemoSummary: Decodable, Sendable {
    /// The figures of one lane.
    struct Lane: Decodable, Sendable {
        let product: String
        let service: String
        let accepted: Int
        let delivered: Int
        let pending: Int
        let quarantined: Int
        let dropped: [String: Int]
        let forReplacement: Int
        let repaired: [String: Int]
    }

    let rows: Int
    let malformed: Int
    let eventTypes: [String: Int]
    let lanes: [Lane]
    let collector: [String: Int]?

    /// Returns the sum of a figure over the lanes of a service, or over all lanes.
    func total(_ figure: (Lane) -> Int, of service: String? = nil) -> Int {
        lanes.filter { service == nil || $0.service == service }.reduce(0) { $0 + figure($1) }
    }
}

/// A temporary folder for one test.
struct Folder: Sendable {
    private let url: URL

    /// Creates the folder.
    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("TrackerDemoTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// Returns the URL of a file in the folder.
    func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    /// Returns the path of a file in the folder.
    func path(_ name: String) -> String { file(name).path }

    /// Writes a text to a file.
    ///
    /// - Returns: The file's path.
    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: file(name))
        return file(name).path
    }

    /// Creates a named pipe, open for writing, so its reader sees no end before it is closed.
    func makePipe(_ name: String) throws -> FileHandle {
        guard unsafe mkfifo(path(name), 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return try FileHandle(forUpdating: file(name))
    }

    /// Removes the folder with its contents.
    func remove() {
        try? FileManager.default.removeItem(at: url)
    }
}
