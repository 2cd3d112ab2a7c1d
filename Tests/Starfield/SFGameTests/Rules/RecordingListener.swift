@testable import SFGame

/// A listener that records the moments of a game.
final class RecordingListener: GameListener {
    private(set) var moments: [GameMoment] = []

    func handle(_ moment: GameMoment) {
        moments.append(moment)
    }
}
