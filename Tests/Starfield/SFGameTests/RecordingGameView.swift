import SFGame

/// A view that records its calls.
final class RecordingGameView: SFGameView {
    private(set) var boards: [SFBoard] = []
    private(set) var ends: [String] = []

    func show(_ board: SFBoard) {
        boards.append(board)
    }

    func showEnd(_ outcome: SFOutcome, score: Int) {
        ends.append("\(outcome.rawValue) \(score)")
    }
}
