/// A view that shows the leaderboard.
@MainActor
public protocol SFLeaderboardView: AnyObject {
    /// Shows the players in an order.
    func show(_ players: [SFPlayer], by order: SFPlayerOrder)
    /// Shows that the players could not be read.
    func showFailure(_ error: SFRepositoryError)
}
