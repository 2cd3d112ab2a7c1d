import SFLeaderboard

/// A leaderboard view that renders lines of text.
@MainActor
final class LeaderboardList: SFLeaderboardView {
    /// The lists shown so far.
    private(set) var lines: [String] = []

    /// Shows the standings by score and by nickname.
    ///
    /// - Returns: One line for each list.
    static func show(_ standings: any SFStandings) -> [String] {
        let list = LeaderboardList()
        let presenter = SFLeaderboardPresenter(standings: standings)
        presenter.view = list
        presenter.appear()
        presenter.sort(by: .nickname)
        return list.lines
    }

    func show(_ players: [SFPlayer], by order: SFPlayerOrder) {
        let places = players.enumerated().map { "\($0 + 1). \($1.nickname) \($1.score)" }
        lines.append("leaderboard by \(order.rawValue): \(places.joined(separator: ", "))")
    }

    func showFailure(_ error: SFRepositoryError) {
        lines.append("no leaderboard: \(error)")
    }
}
