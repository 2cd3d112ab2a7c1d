import EventDelivery
import SFGame
import SFLeaderboard
import SFTracker

/// A run of Starfield games through their presenter, followed by the leaderboard.
@MainActor
struct GameRun {
    /// The maximum number of games that are listed individually.
    private static let toldGames = 10

    private let options: GameOptions
    private let console: Console
    private let interruption: Interruption
    private let isSilent: Bool
    private let standings = RepositoryStandings(repository: InMemoryPlayerRepository(SFPlayer.demo))

    /// Creates a run.
    ///
    /// A silent run prints nothing to stdout.
    init(
        _ options: GameOptions,
        console: Console,
        interruption: Interruption,
        isSilent: Bool
    ) {
        self.options = options
        self.console = console
        self.interruption = interruption
        self.isSilent = isSilent
    }

    /// Plays all games, unless a signal arrives or the player leaves.
    func run(pacer: Pacer) async {
        var pacer = pacer
        var tally = GameTally()
        var told: [String] = []
        let seed = options.seed ?? UInt64.random(in: 0...UInt64(UInt32.max))
        if !isSilent { console.print("Starfield, seed \(seed)") }
        let terminal = options.isHeadless || isSilent ? nil : Terminal()
        SFSettings.current.update { $0.mode = options.isHeadless ? .headless : .selfPlay }
        for number in 0..<options.games where !interruption.isRaised {
            let presenter = SFGamePresenter(seed: seed &+ UInt64(number))
            let screen = terminal.map { GameScreen(terminal: $0, game: "\(number + 1) of \(options.games)") }
            presenter.view = screen
            presenter.appear()
            if let terminal { await draw(presenter, on: terminal) } else { await rush(presenter, pacer: &pacer) }
            guard let outcome = presenter.outcome else { break }
            tally.count(outcome, score: presenter.board.score)
            record(presenter.board.score, game: number)
            if number < GameRun.toldGames { told.append(line(of: outcome, presenter.board, game: number)) }
            if terminal == nil { console.progress("\(number + 1) of \(options.games) games played") }
        }
        terminal?.restore()
        finish(told + [tally.text])
    }

    /// Plays as fast as the disk accepts the events.
    private func rush(_ presenter: SFGamePresenter, pacer: inout Pacer) async {
        var pilot = SFSelfPlay()
        while presenter.outcome == nil, !interruption.isRaised {
            presenter.step(pilot.order(on: presenter.board))
            _ = await pacer.pause(unless: interruption)
        }
    }

    /// Plays at visible speed.
    ///
    /// The player's keys replace self-play.
    private func draw(_ presenter: SFGamePresenter, on terminal: Terminal) async {
        let pilot = KeyboardPilot(terminal)
        let clock = ContinuousClock()
        var next = clock.now
        while presenter.outcome == nil, !interruption.isRaised {
            let order = pilot.order(on: presenter.board)
            guard !pilot.hasLeft else { return presenter.leave() }
            let mode: SFMode = pilot.isManual ? .keyboard : .selfPlay
            SFSettings.current.update { $0.mode = mode }
            presenter.step(order)
            next += .seconds(SFGameRules.stepSeconds)
            try? await clock.sleep(until: next)
        }
    }

    /// Records a score for the next player in turn.
    private func record(_ score: Int, game number: Int) {
        try? standings.record(score, of: SFPlayer.demo[number % SFPlayer.demo.count].nickname)
    }

    private func line(of outcome: SFOutcome, _ board: SFBoard, game number: Int) -> String {
        "game \(number + 1): \(outcome.rawValue), \(board.score) points, level \(board.level), \(board.step) steps"
    }

    /// Prints the games, and the leaderboard in both sort orders.
    private func finish(_ lines: [String]) {
        let lists = LeaderboardList.show(standings)
        guard !isSilent else { return }
        for line in lines + lists + [""] { console.print(line) }
    }
}
