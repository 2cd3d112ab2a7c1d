import CoreTracker
import Foundation
import Locks
import SFGame

/// The speed of the demo as a load generator: games of Starfield that play themselves, with all events delivered.
///
/// The demo's own collector receives the events over HTTP, in the same process. The floor plays the same games with a
/// tracker that only counts.
struct DemoGame: Figure {
    private static let row = Row("game, headless: events delivered", .perSecond, .atLeast(100_000))
    private static let games = 2_000

    let rows = [row]
    let runs = RunCount.once

    func measure(_ setting: Setting) async throws -> [Sample] {
        guard let demo = Tool(beside: "TrackerDemo") else {
            return [Sample(row: Self.row.name, value: nil, note: "needs TrackerDemo beside the benchmark")]
        }
        let tracker = CountingTracker()
        let floor = await Self.play(tracker)
        let words = ["--game", "--headless", "--games", "\(Self.games)", "--seed", "1", "--json"]
        let time = try demo.measure(words + ["--queue", "\(setting.directory)/queue"])
        let events = Double(tracker.count)
        return [Sample(row: Self.row.name, value: events / time * 1e9, floor: events / floor * 1e9)]
    }

    /// Plays the games of the demo, and returns the nanoseconds.
    @MainActor private static func play(_ tracker: CountingTracker) -> Double {
        Stopwatch.measure {
            for seed in 1...UInt64(games) {
                let presenter = SFGamePresenter(seed: seed, tracker: tracker)
                var pilot = SFSelfPlay()
                presenter.appear()
                while presenter.outcome == nil { presenter.step(pilot.order(on: presenter.board)) }
            }
        }
    }
}

/// A tracker that counts deliveries.
private final class CountingTracker: CoreTracker, FirebaseService, AwesomeTrackingService {
    private let deliveries = Atomic(0)

    var count: Int { deliveries.load(ordering: .relaxed) }
    var firebaseService: any FirebaseService { self }
    var awesomeTrackingService: any AwesomeTrackingService { self }

    func track(_ event: FirebaseEvent) { deliveries.wrappingAdd(1, ordering: .relaxed) }
    func track(_ event: AwesomeTrackingEvent) { deliveries.wrappingAdd(1, ordering: .relaxed) }
}
