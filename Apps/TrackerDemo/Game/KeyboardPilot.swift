import SFGame

/// A pilot that plays automatically until the first key press, and then follows the keys.
@MainActor
final class KeyboardPilot {
    /// The number of steps that an arrow key is valid for, because terminals report no key releases.
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
