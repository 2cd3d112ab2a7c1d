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

    /// Finds a program in the build folder of this one, or of the other commit that is measured.
    ///
    /// Returns `nil` if it does not exist.
    init?(beside name: String) {
        let other = ProcessInfo.processInfo.environment[BenchmarkProgram.folderVariable]
        let folder = other.map { URL(filePath: $0) } ?? URL(filePath: Tool.ownExecutable).deletingLastPathComponent()
        let path = folder.appending(path: name).path
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

    /// Runs the program to its end, and discards its output.
    ///
    /// - Returns: The time in nanoseconds.
    /// - Throws: An error if the exit code is not 0.
    func measure(_ arguments: [String], environment: [String: String] = [:]) throws -> Double {
        var code: Int32 = 0
        let time = try Stopwatch.measure { code = try run(arguments, environment: environment).code }
        guard code == 0 else { throw BenchmarkError("\(path) has ended with \(code)") }
        return time
    }

    /// Measures a short run, without the delays of Foundation's `Process`.
    ///
    /// - Returns: The time in nanoseconds.
    /// - Throws: An error if the program fails.
    func measureStart(_ arguments: [String]) throws -> Int64 {
        let words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        let variables = unsafe ProcessInfo.processInfo.environment.map { unsafe strdup("\($0)=\($1)") } + [nil]
        defer { unsafe (words + variables).forEach { unsafe free($0) } }
        var (process, status) = (pid_t(), Int32())
        let start = Stopwatch.now
        let code = unsafe posix_spawn(&process, path, nil, nil, words, variables)
        guard code == 0, unsafe waitpid(process, &status, 0) == process, status == 0 else {
            throw BenchmarkError("\(path) has failed: \(code), \(status)")
        }
        return Stopwatch.now - start
    }
}

/// A package that `swift build` builds.
struct SwiftPackage {
    /// The folder of this repository.
    static let root = ProcessInfo.processInfo.environment["BENCHMARK_PACKAGE"] ?? "."

    /// The folder of the package.
    let path: String
    private let swift: Tool

    /// Creates a package from its folder.
    ///
    /// Returns `nil` without a `swift` command.
    init?(at path: String) {
        guard let swift = Tool(named: "swift") else { return nil }
        (self.path, self.swift) = (path, swift)
    }

    /// Returns the samples of a figure without a `swift` command.
    static func missingSamples(_ rows: [Row]) -> [Sample] {
        rows.map { Sample(row: $0.name, value: nil, note: "needs swift in the search path") }
    }

    /// Builds the package into a folder.
    ///
    /// - Returns: The time in nanoseconds.
    @discardableResult
    func build(_ arguments: [String], in scratch: String) throws -> Double {
        let build = ["build", "--package-path", path, "--scratch-path", scratch] + arguments
        return try swift.measure(build, environment: ["SAMPLES": "yes"])  // with the libraries that a client uses
    }
}

/// The sizes of sections as `size -A` prints them, with one line for each section of each file.
struct SectionSizes {
    /// The total of all sections with code, or `nil` if there are none.
    let code: Double?

    /// Parses the output.
    init(_ text: String) {
        let sizes = text.split(separator: "\n").compactMap { line -> Double? in
            let words = line.split(separator: " ")
            guard words.count > 1, words[0].hasPrefix(".text") else { return nil }
            return Double(words[1])
        }
        code = sizes.isEmpty ? nil : sizes.reduce(0, +)
    }
}

/// A parsed log of `strace -f`, with one line for each system call that starts with the thread's number.
struct SystemCallLog {
    /// The paths looked up by the traced process before and after the counted calls.
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
            // If another thread's output interrupts a call, the call has a second line, which starts with `<...`. Lines
            // of signals and exits start with `---` and `+++`.
            guard words.count > 1, words[0] == thread, let first = words[1].first, first.isLetter || first == "_"
            else { return nil }
            return String(words[1].prefix { $0 != "(" })
        }
    }
}
