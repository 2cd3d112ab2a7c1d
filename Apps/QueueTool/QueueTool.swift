import Foundation

/// Looks into the queues of a directory and, when told to, changes them.
@main
enum QueueTool {
    static func main() {
        Cleaner.shared.catchSignals()
        let output = Output()
        let code: ExitCode
        do throws(ToolError) {
            code = try run(Array(CommandLine.arguments.dropFirst()), output)
        } catch {
            output.note("queue: \(error.message)")
            code = error.code
        }
        output.finish()
        Cleaner.shared.clean()
        exit(code.rawValue)
    }

    private static func run(_ words: [String], _ output: Output) throws(ToolError) -> ExitCode {
        let arguments = try Arguments(words)
        guard arguments.verb != .help else {
            for line in Arguments.help.split(separator: "\n", omittingEmptySubsequences: false) {
                output.print(String(line))
            }
            return .success
        }
        let directory = try QueueDirectory(arguments.directory)
        let reader = QueueReader(directory: directory, output: output)
        switch arguments.verb {
        case .help: return .success
        case .list: return try ListVerb(reader: reader, output: output).run(arguments)
        case .why(let lane): return try WhyVerb(reader: reader, output: output).run(lane, arguments)
        case .tail(let lane): return try TailVerb(reader: reader, output: output).run(lane, arguments)
        case .explain(let id): return try ExplainVerb(reader: reader, output: output).run(id, arguments)
        case .quarantine(let action, let choice):
            return try QuarantineVerb(reader: reader, output: output).run(action, choice, arguments)
        case .export(let choice): return try ExportVerb(reader: reader, output: output).run(choice)
        case .verify: return try VerifyVerb(reader: reader, output: output).run(arguments)
        case .purge(let lane): return try PurgeVerb(reader: reader, output: output).run(lane, arguments)
        }
    }
}

/// How the tool ends, in the numbers of `sysexits.h` from 64 on; `--help` lists them.
enum ExitCode: Int32, Sendable {
    /// Done, or sound.
    case success = 0
    /// Something was found that deserves a look, or what was asked for is not there.
    case found = 1
    /// The arguments are wrong.
    case usage = 64
    /// There is no queue.
    case noQueue = 66
    /// A file could not be read or written.
    case failed = 74
    /// Another process uses the queue; nothing was changed.
    case inUse = 75
    /// The queue is another user's; nothing was changed.
    case notPermitted = 77
}

/// Why the tool ends before its work is done, in one line.
struct ToolError: Error, Equatable {
    /// What is wrong, and what to do.
    let message: String
    /// How the process ends.
    let code: ExitCode

    /// Creates an error; control characters of what the user gave are escaped, so that it stays one line.
    init(_ message: String, _ code: ExitCode) {
        self.message = message.printable
        self.code = code
    }

    /// The arguments are wrong.
    static func usage(_ message: String) -> ToolError { ToolError(message, .usage) }
}
