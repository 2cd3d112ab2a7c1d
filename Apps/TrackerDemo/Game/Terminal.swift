import Foundation

/// A terminal in game mode: the alternate screen, no cursor, and keys without Return.
///
/// ``restore()`` ends game mode. The run calls it at its end, including after a signal.
@MainActor
final class Terminal {
    private var saved: termios?
    private var isOpen = true

    /// Enters game mode.
    ///
    /// Returns `nil` if stdout is no terminal. If stdin is no terminal, ``keys()`` is always empty.
    init?() {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        var settings = termios()
        if isatty(STDIN_FILENO) == 1, unsafe tcgetattr(STDIN_FILENO, &settings) == 0 {
            saved = settings
            // Keep ISIG, which makes Control-C send a signal.
            settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
            unsafe withUnsafeMutableBytes(of: &settings.c_cc) { characters in
                unsafe characters[Int(VMIN)] = 0
                unsafe characters[Int(VTIME)] = 0
            }
            unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        }
        write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J")
    }

    /// Restores the terminal.
    ///
    /// Further calls have no effect.
    func restore() {
        guard isOpen else { return }
        isOpen = false
        write("\u{1B}[?25h\u{1B}[?1049l")
        guard var settings = saved else { return }
        unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }

    /// Draws lines from the top, over the existing ones.
    func draw(_ lines: [String]) {
        write("\u{1B}[H" + lines.joined(separator: "\u{1B}[K\r\n") + "\u{1B}[K")
    }

    /// Draws one line over an existing one.
    func draw(at row: Int, _ line: String) {
        write("\u{1B}[\(row + 1);1H" + line + "\u{1B}[K")
    }

    /// Returns the keys that were pressed since the last call.
    func keys() -> [Key] {
        guard saved != nil else { return [] }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = unsafe read(STDIN_FILENO, &bytes, bytes.count)
        return Key.read(Array(bytes.prefix(max(0, count))))
    }

    private func write(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }
}
