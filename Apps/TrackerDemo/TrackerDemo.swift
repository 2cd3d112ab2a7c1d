import Foundation
import OptionParsing

/// The demo's entry point.
@main
enum TrackerDemo {
    static func main() async {
        // If the reader of our output exits, the queue must still be closed.
        signal(SIGPIPE, SIG_IGN)
        let code = await run(Arguments.ofProcess())
        exit(code.rawValue)
    }

    @MainActor
    private static func run(_ arguments: Arguments) async -> ExitCode {
        let console = Console()
        do throws(DemoError) {
            let code = try await Demo(arguments: arguments, console: console).run()
            return code == .success && console.hasLostResult ? .fileFailed : code
        } catch {
            console.log("TrackerDemo: \(error.message)")
            return error.code
        }
    }
}

/// The demo's exit codes, from `sysexits.h` if it defines one.
///
/// `--help` lists them.
enum ExitCode: Int32, Sendable {
    /// All accepted events were delivered.
    case success = 0
    /// Some events were not delivered. The summary states which and why.
    case undelivered = 2
    /// The arguments are invalid.
    case usage = 64
    /// The file to replay has no header with the known columns.
    case badData = 65
    /// The file to replay does not exist or cannot be read.
    case noInput = 66
    /// A part of the demo could not start.
    case unavailable = 69
    /// The queue's directory cannot be created or written.
    case cannotCreate = 73
    /// The file could not be read to its end, or the output not written.
    case fileFailed = 74
    /// SIGINT ended the run early.
    case interrupted = 130
    /// SIGTERM ended the run early.
    case terminated = 143
}

/// An error that ends the demo early, with one line for the user.
struct DemoError: Error, Equatable {
    /// The problem and, if helpful, how to fix it.
    let message: String
    /// The exit code of the process.
    let code: ExitCode

    /// Creates an error.
    ///
    /// Escapes control characters in the message to keep it on one line.
    init(_ message: String, code: ExitCode) {
        self.message = message.printable
        self.code = code
    }

    /// Creates the error for invalid arguments.
    static func usage(_ message: String) -> DemoError { DemoError(message, code: .usage) }
}

extension String {
    /// The text with its control characters escaped.
    var printable: String {
        var text = ""
        for scalar in unicodeScalars {
            text += scalar.properties.generalCategory == .control ? scalar.escaped(asASCII: true) : String(scalar)
        }
        return text
    }

    /// Returns the text, cut to `length` characters with an ellipsis if it is longer.
    func shortened(to length: Int) -> String {
        count <= length ? self : prefix(max(0, length - 1)) + "…"
    }
}
