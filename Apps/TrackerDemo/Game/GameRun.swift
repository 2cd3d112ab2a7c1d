import CoreTracker
import EventDelivery
import SFGame
import SFLeaderboard
import SFTracker

/// A run of Starfield games through their presenter, followed by the leaderboard.
@MainActor
struct GameRun {
    /// The maximum number of individually listed games.
    private static let listedGames = 10

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
        var lines: [String] = []
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
            if number < GameRun.listedGames { lines.append(line(of: outcome, presenter.board, game: number)) }
            if terminal == nil { console.progress("\(number + 1) of \(options.games) games played") }
        }
        terminal?.restore()
        finish(lines + [tally.text])
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

/// A summary of the games of a run.
///
/// Its size is constant.
struct GameTally: Sendable, Equatable {
    /// The number of games played to their end.
    private(set) var games = 0
    private var ends: [SFOutcome: Int] = [:]
    private var best = 0

    /// Adds a game.
    mutating func count(_ outcome: SFOutcome, score: Int) {
        games += 1
        ends[outcome, default: 0] += 1
        best = max(best, score)
    }

    /// The summary in one line.
    var text: String {
        let counts = SFOutcome.allCases.map { "\(ends[$0] ?? 0) \($0.rawValue)" }.joined(separator: ", ")
        return "\(games) games: \(counts); best score \(best)"
    }
}

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

extension SFPlayer {
    /// The demo's players with their best earlier scores.
    static let demo = [
        SFPlayer(nickname: "CoolMan", score: 540), SFPlayer(nickname: "SeriouslyStuff1022", score: 310),
        SFPlayer(nickname: "ThornSkillex45", score: 980), SFPlayer(nickname: "SrPensionao", score: 120),
        SFPlayer(nickname: "DaromDalashim", score: 760), SFPlayer(nickname: "ItzWatEver90", score: 450),
        SFPlayer(nickname: "ZMilof332", score: 870), SFPlayer(nickname: "Esperpento43531", score: 230),
        SFPlayer(nickname: "HereYourDead102", score: 650), SFPlayer(nickname: "AnotherGuyProgrammer", score: 1_090),
    ]
}
