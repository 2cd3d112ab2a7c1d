import CoreTracker
import Dispatch
import EventDelivery
import EventDeliveryTesting
import EventTracking
import Foundation
import Locks
import Testing

@testable import EventDeliveryScenes

/// Tests of the work of one turn of the store, which delays all other work.
@Suite(.timeLimit(.minutes(5))) struct StoreTurnTests {
    @Test func `a turn of the store stores at most one group`() async throws {
        let queue = try TemporaryQueue()
        let turns = TurnCounter()
        let clock = TestClock()
        let engine = DeliveryEngine(
            runtime: EngineRuntime(executor: { turns }, random: EngineRuntime.system.random),
            clock: clock
        )
        let lane = engine.lane(LineDestination().lane)
        for _ in 1...6_000 { lane.track("viewed", parameters: [:]) }

        try await engine.open(GrantedEngine.configuration(queue.url, nil, [TurnDestination(turns: turns)]))
        for _ in 1...20 {
            for _ in 1...100 { lane.track("viewed", parameters: [:]) }
            // A barrier is due.
            clock.advance(by: .seconds(2))
            await engine.storeBuffered()
        }
        await engine.close(timeout: .zero)

        #expect(turns.counts.values.reduce(0, +) == 8_000)
        #expect(turns.counts.values.allSatisfy { $0 <= 1_100 })
    }
}

/// An executor of a store that counts the encoded events of each turn.
private final class TurnCounter: SerialExecutor {
    private struct State {
        var turn = 0
        var counts: [Int: Int] = [:]
    }

    private let queue = DispatchQueue(label: "StoreTurnTests")
    private let state = Mutex(State())

    /// The numbers of events by turn.
    var counts: [Int: Int] { state.withLock(\.counts) }

    func count() { state.withLock { $0.counts[$0.turn, default: 0] += 1 } }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }

    func enqueue(_ job: UnownedJob) {
        queue.async {
            unsafe job.runSynchronously(on: self.asUnownedSerialExecutor())
            self.state.withLock { $0.turn += 1 }
        }
    }
}

/// A destination that counts the events encoded in a turn.
private struct TurnDestination: DestinationWrapper {
    let base: any Destination = LineDestination()
    let turns: TurnCounter

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        turns.count()
        try base.encode(event, into: &encoder)
    }
}
