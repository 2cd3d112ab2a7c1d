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

/// A parsed log of `strace -f`, with one line for each system call that starts with the thread's number.
struct SystemCallLog {
    /// The paths that the traced process looks up before and after the counted calls.
    static let marks = (begin: "/benchmark-begins", end: "/benchmark-ends")

    private let text: String

    /// Creates a log from its text.
    init(_ text: String) {
        self.text = text
    }

    /// The number of system calls of the marking thread between the two marks, or `nil` without marks.
    var countBetweenMarks: Int? { namesBetweenMarks?.count }

    /// The names of these system calls, in order.
    var namesBetweenMarks: [String]? {
        let lines = text.split(separator: "\n")
        guard let begin = lines.firstIndex(where: { $0.contains(SystemCallLog.marks.begin) }),
            let end = lines.lastIndex(where: { $0.contains(SystemCallLog.marks.end) }), begin < end,
            let thread = lines[begin].split(separator: " ").first
        else { return nil }
        return lines[(begin + 1)..<end].compactMap { line in
            let words = line.split(separator: " ")
            // A call that was interrupted by another thread's output has a second line that starts with `<...`. Lines
            // of signals and exits start with `---` and `+++`.
            guard words.count > 1, words[0] == thread, let first = words[1].first, first.isLetter || first == "_"
            else { return nil }
            return String(words[1].prefix { $0 != "(" })
        }
    }
}
