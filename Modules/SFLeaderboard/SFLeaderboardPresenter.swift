public import CoreTracker
public import MultiTracker
public import SFTracker

/// Drives the screen of the leaderboard, and tracks what it shows.
///
/// It knows the standings by their contract, and nothing of where players are kept.
@MainActor
public final class SFLeaderboardPresenter {
    /// The screen; the presenter does not keep it alive.
    public weak var view: (any SFLeaderboardView)?
    private let standings: any SFStandings
    private let tracker: any CoreTracker
    private let navigation: any NavigationTrackable

    /// Creates a presenter of standings.
    public init(
        standings: any SFStandings,
        tracker: any CoreTracker = SFLeaderboardTracker(),
        navigation: any NavigationTrackable = SFNavigation()
    ) {
        self.standings = standings
        self.tracker = tracker
        self.navigation = navigation
    }

    /// Shows the players by score, each time that the screen comes up.
    public func appear(from view: String = "game") {
        navigation.trackNavigate(toView: "leaderboard", fromView: view)
        sort(by: .score)
    }

    /// Shows the players in an order; a list that cannot be read is shown as a failure, and not tracked as viewed.
    public func sort(by order: SFPlayerOrder) {
        do throws(SFRepositoryError) {
            let players = try standings.players(by: order)
            tracker.track(SFLeaderboardViewed(order: order, players: players.count))
            view?.show(players, by: order)
        } catch {
            view?.showFailure(error)
        }
    }
}
