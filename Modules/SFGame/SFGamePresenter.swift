public import CoreTracker
public import MultiTracker
public import SFTracker

/// Drives the screen of one game, and tracks what the game tells.
///
/// It lives on the main actor as its view does; a call from there is synchronous and costs no hop.
@MainActor
public final class SFGamePresenter {
    /// The screen; the presenter does not keep it alive.
    public weak var view: (any SFGameView)?
    private let game: Game
    private let tracker: any CoreTracker
    private let navigation: any NavigationTrackable

    /// Creates a presenter of a game that follows from its seed.
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

    /// How the game stands.
    public var board: SFBoard { game.board }

    /// How the game ended; `nil` before.
    public var outcome: SFOutcome? { game.outcome }

    /// Starts the game as its screen comes up.
    public func appear(from view: String = "menu") {
        navigation.trackNavigate(toView: "game", fromView: view)
        game.start()
        self.view?.show(game.board)
    }

    /// Plays one step; does nothing after the end.
    public func step(_ order: SFOrder) {
        guard game.outcome == nil else { return }
        game.step(order)
        view?.show(game.board)
        if let outcome = game.outcome { view?.showEnd(outcome, score: game.board.score) }
    }

    /// Leaves the game before its end; what was not played is not tracked.
    public func leave() {
        navigation.trackBackTap(fromView: "game")
    }
}

extension SFGamePresenter: GameListener {
    func hear(_ moment: GameMoment) {
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
