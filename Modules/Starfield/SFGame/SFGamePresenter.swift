public import CoreTracker
public import MultiTracker
public import SFTracker

/// The presenter of a game, which tracks the game's moments as events.
///
/// ```swift
/// presenter.appear()
/// presenter.step(SFOrder(fires: true))
/// presenter.leave()
/// ```
///
/// It runs on the main actor, like its view. Its calls are synchronous, without an actor hop.
@MainActor
public final class SFGamePresenter {
    /// The view, which the presenter references weakly.
    public weak var view: (any SFGameView)?
    private let game: Game
    private let tracker: any CoreTracker
    private let navigation: any NavigationTrackable

    /// Creates a presenter of a new game.
    ///
    /// - Parameters:
    ///   - seed: The seed of the game's random numbers. The same seed and orders give the same game.
    ///   - rules: The rules of the game.
    ///   - tracker: The tracker that receives the events.
    ///   - navigation: The capability that receives moves between screens.
    public init(
        seed: UInt64,
        rules: SFGameRules = SFGameRules(),
        tracker: any CoreTracker = SFGameTracker(),
        navigation: any NavigationTrackable = SFNavigation()
    ) {
        game = Game(rules: rules, seed: seed)
        self.tracker = tracker
        self.navigation = navigation
        game.listener = self
    }

    /// The current state of the game.
    public var board: SFBoard { game.board }

    /// The result of the game, or `nil` while it is running.
    public var outcome: SFOutcome? { game.outcome }

    /// Starts the game.
    ///
    /// Call it when the screen appears.
    ///
    /// - Parameter view: The previous screen.
    public func appear(from view: String = "menu") {
        navigation.trackNavigate(toView: "game", fromView: view)
        game.start()
        self.view?.show(game.board)
    }

    /// Plays one step.
    ///
    /// If the game has ended, nothing happens.
    ///
    /// - Parameter order: The pilot's order for the player's ship.
    public func step(_ order: SFOrder) {
        guard game.outcome == nil else { return }
        game.step(order)
        view?.show(game.board)
        if let outcome = game.outcome { view?.showEnd(outcome, score: game.board.score) }
    }

    /// Leaves the game.
    ///
    /// If the game has not ended, no end is tracked.
    public func leave() {
        navigation.trackBackTap(fromView: "game")
    }
}

extension SFGamePresenter: GameListener {
    func handle(_ moment: GameMoment) {
        switch moment {
        case .started(let enemies): tracker.track(SFGameStarted(enemies: enemies))
        case .shotFired(let side): tracker.track(SFShotFired(side: side))
        case .shipHit(let side, let livesLeft): tracker.track(SFShipHit(side: side, livesLeft: livesLeft))
        case .shipDestroyed(let side): tracker.track(SFShipDestroyed(side: side))
        case .levelUp(let level): tracker.track(SFLevelUp(level: level))
        case .over(let outcome, let score, let level, let steps):
            tracker.track(SFGameOver(outcome: outcome, score: score, level: level, steps: steps))
        }
    }
}

/// A view that shows a game.
@MainActor
public protocol SFGameView: AnyObject {
    /// Shows the current state of the game.
    ///
    /// The presenter calls it at the start and after each step.
    ///
    /// - Parameter board: The state of the game.
    func show(_ board: SFBoard)
    /// Shows the result of the game.
    ///
    /// - Parameters:
    ///   - outcome: The result of the game.
    ///   - score: The player's points.
    func showEnd(_ outcome: SFOutcome, score: Int)
}
