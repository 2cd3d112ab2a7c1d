@testable import SFGame

/// A listener that keeps what it heard.
final class RecordingListener: GameListener {
    private(set) var moments: [GameMoment] = []

    func hear(_ moment: GameMoment) {
        moments.append(moment)
    }
}
