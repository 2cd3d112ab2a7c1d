import CoreTracker
import Dispatch
import EventDelivery
import EventDeliveryTesting
import EventTracking
import Foundation
import Locks
import Testing

@testable import EventDeliveryScenes
@testable import EventOutbox

/// Tests of the work of one turn of the store, which delays all other work.
@Suite(.timeLimit(.minutes(5))) struct StoreTurnTests {
    @Test func `a turn of the store stores one group, or makes a barrier`() async throws {
        let queue = try TemporaryQueue()
        let turns = TurnCounter { DurabilityCheckpoint(queue: queue.path)?.lanes.first?.nextNumber ?? 0 }
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
        let (events, barriers) = turns.counts

        #expect(events.values.reduce(0, +) == 8_000)
        #expect(events.values.allSatisfy { $0 <= 1_100 })
        #expect(barriers.count >= 20)
        #expect(barriers.isDisjoint(with: events.keys))
    }
}

/// An executor of a store that counts the encoded events of each turn, and notes the turns with a barrier.
private final class TurnCounter: SerialExecutor {
    private struct State {
        var turn = 0
        var events: [Int: Int] = [:]
        var barriers: Set<Int> = []
        var checkpoint: Int64 = 0
    }

    private let queue = DispatchQueue(label: "StoreTurnTests")
    private let state = Mutex(State())
    private let checkpoint: @Sendable () -> Int64

    /// - Parameter checkpoint: Returns the number of the next event in the durability checkpoint.
    init(checkpoint: @escaping @Sendable () -> Int64) { self.checkpoint = checkpoint }

    /// The numbers of events by turn, and the turns in which the durability checkpoint has changed.
    var counts: (events: [Int: Int], barriers: Set<Int>) { state.withLock { ($0.events, $0.barriers) } }

    func count() { state.withLock { $0.events[$0.turn, default: 0] += 1 } }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }

    func enqueue(_ job: UnownedJob) {
        queue.async {
            unsafe job.runSynchronously(on: self.asUnownedSerialExecutor())
            let checkpoint = self.checkpoint()
            self.state.withLock { state in
                if checkpoint != state.checkpoint { state.barriers.insert(state.turn) }
                state.checkpoint = checkpoint
                state.turn += 1
            }
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
