import Foundation

/// The options of a program.
///
/// Read them with an ``OptionReader``. The script that runs the program prints the literal `help` for its own `--help`,
/// without a build.
package protocol ProgramOptions {
    /// The name of the program in its messages.
    static var program: String { get }
    /// The text of `--help`.
    static var help: String { get }

    /// Parses the words after the program's name.
    ///
    /// - Throws: An error if they are invalid.
    init(_ words: [String]) throws(UsageError)
}

extension ProgramOptions {
    /// Returns the options of this process.
    ///
    /// With `--help` or `-h`, it prints the help and ends the process with status 0. If the command line is invalid, it
    /// fails.
    package static func ofProcess() -> Self {
        let words = Array(CommandLine.arguments.dropFirst())
        guard !words.contains("--help"), !words.contains("-h") else {
            print(help)
            exit(0)
        }
        do throws(UsageError) {
            return try Self(words)
        } catch {
            fail(error)
        }
    }

    /// Runs a program with the options of this process.
    ///
    /// If the program throws an error, it writes the error to standard error, and ends the process with status 1.
    package static func run(_ body: (Self) async throws -> Void) async {
        do { try await body(ofProcess()) } catch { end("\(error)", status: 1) }
    }

    /// Writes an error to standard error, and ends the process with status 64.
    package static func fail(_ error: UsageError) -> Never {
        end(error.message, status: 64)
    }

    private static func end(_ message: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data("\(program): \(message)\n".utf8))
        exit(status)
    }
}
