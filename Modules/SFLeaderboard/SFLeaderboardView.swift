/// The screen of the leaderboard: what its presenter tells it to do.
@MainActor
public protocol SFLeaderboardView: AnyObject {
    /// Shows the players in their order.
    func show(_ players: [SFPlayer], by order: SFPlayerOrder)
    /// Shows that the players cannot be shown.
    func showFailure(_ error: SFRepositoryError)
}
