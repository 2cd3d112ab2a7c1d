import SFGame

/// A pilot that plays by itself until a key is pressed, and then as the keys say.
@MainActor
final class KeyboardPilot {
    /// For how many steps an arrow flies on; terminals tell of a key's press and never of its end.
    private static let reach = 6

    private let terminal: Terminal
    private var selfPlay = SFSelfPlay()
    private var heading = SFVector.zero
    private var left = 0
    /// Whether the player flies.
    private(set) var isManual = false
    /// Whether the player has left the game.
    private(set) var hasLeft = false

    /// Creates a pilot that reads a terminal's keys.
    init(_ terminal: Terminal) {
        self.terminal = terminal
    }

    /// Takes the keys since the last step, and decides.
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
