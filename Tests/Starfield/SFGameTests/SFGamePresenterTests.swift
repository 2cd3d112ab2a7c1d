import CoreTracker
import CoreTrackerTesting
import SFTracker
import Testing

@testable import SFGame

@MainActor
@Suite struct SFGamePresenterTests {
    private let tracker = MockTracker()
    private let view = RecordingGameView()

    @Test func `each moment of a game is tracked as its event`() {
        let presenter = makePresenter(seed: 1)
        let moments: [GameMoment] = [
            .started(enemies: 20), .shotFired(side: .player), .shipHit(side: .enemy, livesLeft: 1),
            .shipDestroyed(side: .enemy), .levelUp(level: 2), .over(.won, score: 110, level: 2, steps: 9),
        ]

        for moment in moments { presenter.handle(moment) }

        tracker.expect([
            SFGameStarted(enemies: 20),
            SFShotFired(side: .player),
            SFShipHit(side: .enemy, livesLeft: 1),
            SFShipDestroyed(side: .enemy),
            SFLevelUp(level: 2),
            SFGameOver(outcome: .won, score: 110, level: 2, steps: 9),
        ])
    }

    @Test func `the appearance of a screen, a shot and a back tap are tracked in order`() {
        let presenter = makePresenter(seed: 1)

        presenter.appear()
        presenter.step(SFOrder(fires: true))
        presenter.leave()

        tracker.expect([
            SFNavigated(toView: "game", fromView: "menu"),
            SFGameStarted(enemies: 20),
            SFShotFired(side: .player),
            SFTapped(control: .back, fromView: "game"),
        ])
        #expect(view.boards.map(\.step) == [0, 1])
    }

    @Test func `the end is shown and tracked once, and nothing after it`() {
        let presenter = makePresenter(seed: 1)

        play(presenter)
        tracker.reset()
        presenter.step(SFOrder(fires: true))

        tracker.expectNothing()
        #expect(view.ends == ["\(presenter.outcome?.rawValue ?? "") \(presenter.board.score)"])
    }

    @Test(arguments: [UInt64(1), .max])
    func `the same seed tracks the same events, byte for byte`(seed: UInt64) {
        let texts = [seed, seed, seed &- 1].map { seed in
            let tracker = MockTracker()
            play(SFGamePresenter(seed: seed, tracker: tracker, navigation: SFNavigation(tracker: tracker)))
            return Array(String(reflecting: tracker.services).utf8)
        }

        #expect(texts[0].count > 1_000)
        #expect(texts[0] == texts[1])
        #expect(texts[0] != texts[2])
    }

    @Test func `self-play produces every kind of event`() {
        for seed in UInt64(0)..<8 { play(makePresenter(seed: seed)) }

        let names = Set(tracker.events.map { "\(type(of: $0))" })
        let ends = Set(tracker.events(of: SFGameOver.self).map(\.outcome))
        let expected: Set = [
            "SFNavigated", "SFGameStarted", "SFShotFired", "SFShipHit", "SFShipDestroyed", "SFLevelUp", "SFGameOver",
        ]
        #expect(names == expected)
        #expect(ends.isSuperset(of: [.won, .lost]))
        #expect(tracker.events(of: SFGameOver.self).count == 8)
    }

    private func makePresenter(seed: UInt64) -> SFGamePresenter {
        let presenter = SFGamePresenter(seed: seed, tracker: tracker, navigation: SFNavigation(tracker: tracker))
        presenter.view = view
        return presenter
    }

    private func play(_ presenter: SFGamePresenter) {
        var pilot = SFSelfPlay()
        presenter.appear()
        while presenter.outcome == nil { presenter.step(pilot.order(on: presenter.board)) }
    }
}

/// A view that records its calls.
final class RecordingGameView: SFGameView {
    private(set) var boards: [SFBoard] = []
    private(set) var ends: [String] = []

    func show(_ board: SFBoard) {
        boards.append(board)
    }

    func showEnd(_ outcome: SFOutcome, score: Int) {
        ends.append("\(outcome.rawValue) \(score)")
    }
}
