import SFLeaderboard

/// A view that records its calls.
final class RecordingLeaderboardView: SFLeaderboardView {
    private(set) var calls: [String] = []

    func show(_ players: [SFPlayer], by order: SFPlayerOrder) {
        calls.append("\(order): " + players.map(\.nickname).joined(separator: ", "))
    }

    func showFailure(_ error: SFRepositoryError) {
        calls.append("failed: \(error)")
    }
}
