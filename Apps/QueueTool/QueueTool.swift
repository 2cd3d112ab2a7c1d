import Foundation
import OptionParsing

/// A command-line tool that inspects the queue of a directory and changes it on request.
@main
enum QueueTool {
    static func main() {
        Cleaner.shared.catchSignals()
        let output = Output()
        let code: QueueExitCode
        do throws(ToolError) {
            code = try run(QueueArguments.ofProcess(), output)
        } catch {
            output.log("queue: \(error.message)")
            code = error.code
        }
        output.finish()
        Cleaner.shared.clean()
        exit(code.rawValue)
    }

    private static func run(_ arguments: QueueArguments, _ output: Output) throws(ToolError) -> QueueExitCode {
        let directory = try QueueDirectory(arguments.directory)
        let reader = QueueReader(directory: directory, output: output)
        switch arguments.verb {
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

/// An exit code.
///
/// Values from 66 on follow `sysexits.h`; `--help` lists them. Invalid arguments have 64.
enum QueueExitCode: Int32, Sendable {
    /// The command succeeded and found no fault.
    case success = 0
    /// A possible fault was found, or the requested event or lane does not exist.
    case found = 1
    /// There is no queue.
    case noQueue = 66
    /// A file could not be read or written.
    case failed = 74
    /// Another process uses the queue.
    ///
    /// It was not changed.
    case inUse = 75
    /// The queue belongs to another user.
    ///
    /// It was not changed.
    case notPermitted = 77
}

/// An error that ends the tool, described in one line.
struct ToolError: Error, Equatable {
    /// The problem, and how to solve it.
    let message: String
    /// The exit code of the process.
    let code: QueueExitCode

    /// Creates an error.
    ///
    /// Control characters in the message are escaped, so it stays on one line.
    init(_ message: String, _ code: QueueExitCode) {
        self.message = message.printable
        self.code = code
    }
}
