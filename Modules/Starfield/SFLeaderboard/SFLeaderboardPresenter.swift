public import CoreTracker
public import MultiTracker
public import SFTracker

/// The presenter of the leaderboard.
///
/// It runs on the main actor, like its view. It uses the standings through their protocol, regardless of where players
/// are stored.
@MainActor
public final class SFLeaderboardPresenter {
    /// The view, which the presenter references weakly.
    public weak var view: (any SFLeaderboardView)?
    private let standings: any SFStandings
    private let tracker: any CoreTracker
    private let navigation: any NavigationTrackable

    /// Creates a presenter.
    ///
    /// - Parameters:
    ///   - standings: The source of the players.
    ///   - tracker: The tracker that receives the events.
    ///   - navigation: The capability that receives moves between screens.
    public init(
        standings: any SFStandings,
        tracker: any CoreTracker = SFLeaderboardTracker(),
        navigation: any NavigationTrackable = SFNavigation()
    ) {
        self.standings = standings
        self.tracker = tracker
        self.navigation = navigation
    }

    /// Shows the players by score.
    ///
    /// Call it whenever the screen appears.
    ///
    /// - Parameter view: The previous screen.
    public func appear(from view: String = "game") {
        navigation.trackNavigate(toView: "leaderboard", fromView: view)
        sort(by: .score)
    }

    /// Shows the players in an order.
    ///
    /// If the players cannot be read, the view shows the failure and no event is tracked.
    ///
    /// - Parameter order: The order of the list.
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

/// A view that shows the leaderboard.
@MainActor
public protocol SFLeaderboardView: AnyObject {
    /// Shows the players in an order.
    ///
    /// - Parameters:
    ///   - players: The players, in this order.
    ///   - order: The order of the list.
    func show(_ players: [SFPlayer], by order: SFPlayerOrder)
    /// Shows a failure to read the players.
    ///
    /// - Parameter error: The error of the repository.
    func showFailure(_ error: SFRepositoryError)
}
