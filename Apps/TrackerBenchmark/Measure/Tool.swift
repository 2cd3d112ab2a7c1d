import Foundation

/// An external program that runs as a child process.
struct Tool {
    /// The result of a run.
    struct Outcome {
        /// The exit code.
        let code: Int32
        /// The standard output.
        let output: String
    }

    /// The executable of this process.
    static let ownExecutable = CommandLine.arguments.first ?? ""

    private let path: String

    /// Finds a program in the search path.
    ///
    /// Returns `nil` if it is not installed.
    init?(named name: String) {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let paths = folders.map { "\($0)/\(name)" }
        guard let path = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else { return nil }
        self.path = path
    }

    /// Creates a tool for a path.
    init(path: String) {
        self.path = path
    }

    /// Finds a program that was built next to this one.
    ///
    /// Returns `nil` if it was not built.
    init?(beside name: String) {
        let path = URL(filePath: Tool.ownExecutable).deletingLastPathComponent().appending(path: name).path
        guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
        self.path = path
    }

    /// Runs the program to its end.
    ///
    /// Its standard error is discarded unless `showsErrors` is set.
    func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        showsErrors: Bool = false
    ) throws -> Outcome {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        if !showsErrors { process.standardError = FileHandle.nullDevice }
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Outcome(code: process.terminationStatus, output: String(decoding: data, as: UTF8.self))
    }
}
