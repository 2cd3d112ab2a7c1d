import Foundation

/// The benchmark's output: results on stdout, notes on stderr, and progress on stderr if it is a terminal.
enum BenchmarkConsole {
    private static let showsProgress = isatty(STDERR_FILENO) == 1

    /// Prints a result.
    static func print(_ text: String, terminator: String = "\n") {
        write(text + terminator, to: .standardOutput)
    }

    /// Prints a note.
    static func log(_ text: String) {
        write(text + "\n", to: .standardError)
    }

    /// Shows a progress text.
    ///
    /// An empty text removes it.
    static func progress(_ text: String) {
        guard showsProgress else { return }
        write("\r\u{1B}[K\(text.prefix(79))", to: .standardError)
    }

    /// Writes a text.
    ///
    /// Continues even if the reader is gone.
    static func write(_ text: String, to handle: FileHandle) {
        try? handle.write(contentsOf: Data(text.utf8))
    }
}
