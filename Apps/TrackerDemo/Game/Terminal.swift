import Foundation
import SFGame

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

    /// Returns the keys pressed since the last call.
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

/// A supported key of the game.
enum Key: Sendable, Hashable {
    case up, down, left, right, space
    case letter(Character)

    /// Parses keys from a terminal's input.
    ///
    /// Skips escape sequences other than arrow keys.
    static func read(_ bytes: [UInt8]) -> [Key] {
        var keys: [Key] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            switch byte {
            case 0x1B:
                guard let next = rest.first, next == UInt8(ascii: "[") || next == UInt8(ascii: "O") else { continue }
                rest.removeFirst()
                let parameters = rest.prefix { (0x20...0x3F).contains($0) }
                rest.removeFirst(parameters.count)
                if let arrow = rest.popFirst().flatMap({ arrows[$0] }) { keys.append(arrow) }
            case UInt8(ascii: " "): keys.append(.space)
            case UInt8(ascii: "a")...UInt8(ascii: "z"): keys.append(.letter(Character(Unicode.Scalar(byte))))
            default: break
            }
        }
        return keys
    }

    private static let arrows: [UInt8: Key] = [
        UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
    ]
}

/// A pilot that plays automatically until the first key press, and then follows the keys.
@MainActor
final class KeyboardPilot {
    /// The number of steps for which an arrow key is valid, because terminals report no key releases.
    private static let reach = 6

    private let terminal: Terminal
    private var selfPlay = SFSelfPlay()
    private var heading = SFVector.zero
    private var left = 0
    /// Whether the player controls the ship.
    private(set) var isManual = false
    /// Whether the player has left the game.
    private(set) var hasLeft = false

    /// Creates a pilot that reads keys from a terminal.
    init(_ terminal: Terminal) {
        self.terminal = terminal
    }

    /// Reads the keys since the last step and returns the next order.
    func order(on board: SFBoard) -> SFOrder {
        var fires = false
        for key in terminal.keys() {
            switch key {
            case .up: fly(SFVector(x: 0, y: -1))
            case .down: fly(SFVector(x: 0, y: 1))
            case .left: fly(SFVector(x: -1, y: 0))
            case .right: fly(SFVector(x: 1, y: 0))
            case .space:
                isManual = true
                fires = true
            case .letter("a"): isManual = false
            case .letter("q"): hasLeft = true
            case .letter: break
            }
        }
        guard isManual else { return selfPlay.order(on: board) }
        left = max(0, left - 1)
        return SFOrder(heading: left > 0 ? heading : .zero, fires: fires)
    }

    private func fly(_ heading: SFVector) {
        isManual = true
        self.heading = heading
        left = KeyboardPilot.reach + 1
    }
}
