import Foundation

/// A program that is run for what it does or prints, or that watches this one from outside.
struct Tool {
    /// What a run has left.
    struct Outcome {
        /// The exit code.
        let code: Int32
        /// What it wrote to its standard output.
        let output: String
    }

    /// The executable of this process.
    static let ownExecutable = CommandLine.arguments.first ?? ""

    private let path: String

    /// Finds a program in the search path; `nil` where there is none.
    init?(named name: String) {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let paths = folders.map { "\($0)/\(name)" }
        guard let path = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else { return nil }
        self.path = path
    }

    /// Names a program by its path.
    init(path: String) {
        self.path = path
    }

    /// A program that was built beside this one; `nil` where it was not.
    init?(beside name: String) {
        let path = URL(filePath: Tool.ownExecutable).deletingLastPathComponent().appending(path: name).path
        guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
        self.path = path
    }

    /// Runs it to its end; what it writes to its standard error is kept to itself, or shown.
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
