import Foundation

/// What the user sees: results on stdout, notes and, on a terminal, progress on stderr.
enum Console {
    private static let showsProgress = isatty(STDERR_FILENO) == 1

    /// Prints a result.
    static func print(_ text: String, terminator: String = "\n") {
        write(text + terminator, to: .standardOutput)
    }

    /// Prints a note.
    static func note(_ text: String) {
        write(text + "\n", to: .standardError)
    }

    /// Shows what is under way; an empty text takes it away.
    static func progress(_ text: String) {
        guard showsProgress else { return }
        write("\r\u{1B}[K\(text.prefix(79))", to: .standardError)
    }

    /// Writes text; a reader that has gone away is no reason to stop.
    static func write(_ text: String, to handle: FileHandle) {
        try? handle.write(contentsOf: Data(text.utf8))
    }
}
