import SFLeaderboard

/// The leaderboard as a line of text.
@MainActor
final class LeaderboardList: SFLeaderboardView {
    /// What was shown last.
    private(set) var text = ""

    func show(_ players: [SFPlayer], by order: SFPlayerOrder) {
        let places = players.enumerated().map { "\($0 + 1). \($1.nickname) \($1.score)" }
        text = "leaderboard by \(order.rawValue): \(places.joined(separator: ", "))"
    }

    func showFailure(_ error: SFRepositoryError) {
        text = "no leaderboard: \(error)"
    }
}
