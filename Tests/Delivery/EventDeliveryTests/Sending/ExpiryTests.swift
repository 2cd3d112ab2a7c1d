import CoreTracker
import EventDeliveryTesting
import EventTracking
import Foundation
import Testing

@testable import EventDelivery
@testable import EventDeliveryScenes
@testable import EventOutbox

/// Tests of the expiry of events on lanes that send nothing.
@Suite(.timeLimit(.minutes(1))) struct ExpiryTests {
    private static let age: Duration = .seconds(31 * 24 * 3600)

    @Test(arguments: [Consent.unknown, .granted])
    func `events that await consent or are on hold expire, although no lane sends`(consent: Consent) async throws {
        let harness = LaneHarness()
        if consent == .granted { harness.engine.hold(reason: .lowPower) }
        try await harness.open(defaultConsent: consent)
        harness.track(1...3)
        await harness.engine.storeBuffered()

        harness.clock.advance(by: ExpiryTests.age)

        await waitUntilEmpty(harness.engine)
        #expect(await harness.ledger.dropped == [.expired: 3])
        #expect(harness.transport.requests.isEmpty)
        try await LedgerCheck.check(harness.engine)
        await harness.engine.close(timeout: .zero)
    }

    @Test func `events of a lane without a destination expire in a later process of the same boot`() async throws {
        let queue = try TemporaryQueue()
        let gone = LineDestination(lane: LaneID(product: "T", service: "gone"))
        let first = LaneHarness(directory: queue.url)
        let unreachable = ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) }
        try await first.engine.open(
            DeliveryConfiguration(directory: queue.url, destinations: [gone], transport: unreachable)
        )
        first.engine.lane(gone.lane).track("viewed", parameters: ["n": 1])
        await first.engine.close(timeout: .zero)

        let second = LaneHarness(clock: first.clock, directory: queue.url)
        try await second.open()
        let before = await second.engine.statistics().map(\.ledger.pending).reduce(0, +)
        second.clock.advance(by: ExpiryTests.age)

        await waitUntilEmpty(second.engine)
        #expect(before == 1)
        #expect(await second.engine.storedEvents()[gone.lane]?.ledger.dropped == [.expired: 1])
        try await LedgerCheck.check(second.engine)
        await second.engine.close(timeout: .zero)
    }

    @Test func `events that are younger than the maximum age stay`() async throws {
        let harness = LaneHarness()
        harness.engine.hold(reason: .lowPower)
        try await harness.open()
        harness.track([1])
        await harness.engine.storeBuffered()
        harness.clock.advance(by: .seconds(10 * 24 * 3600))
        harness.track([2])
        await harness.engine.storeBuffered()

        harness.clock.advance(by: .seconds(21 * 24 * 3600))

        while !Task.isCancelled, await harness.ledger.pending > 1 { await harness.engine.storeBuffered() }
        #expect(await harness.ledger.dropped == [.expired: 1])
        harness.engine.release(reason: .lowPower)
        _ = await harness.engine.flush(timeout: .seconds(5))
        #expect(harness.transport.requests.map(\.numbers) == [[2]])
        await harness.engine.close(timeout: .zero)
    }

    @Test func `all expired events of a lane are dropped, although one turn of the store drops only some`()
        async throws
    {
        let queue = try TemporaryQueue()
        let harness = LaneHarness(directory: queue.url)
        harness.engine.hold(reason: .lowPower)
        try await harness.open()
        for number in 1...3_000 {
            // A segment has the events of one user.
            harness.engine.user.identify("user-\(number)")
            harness.track([number])
        }
        await harness.engine.storeBuffered()

        harness.clock.advance(by: ExpiryTests.age)

        await waitUntilEmpty(harness.engine)
        #expect(await harness.ledger.dropped == [.expired: 3_000])
        await harness.engine.close(timeout: .zero)
    }

    @Test func `one turn of the store drops about a megabyte, and a small segment counts 4 KB`() throws {
        let outbox = Outbox(try SQLiteOutbox())
        var lane = LaneQueue(stored: StoredLane(number: 1, id: LineDestination().lane), destination: nil)
        var change = OutboxChange()
        change.save(segments: (1...300).map { Segment.stub(number: $0) })
        for segment in change.savedSegments { lane.account(segment.summary, sign: 1) }
        try outbox.commit(change, barrier: false)
        let later = MonotonicInstant(nanoseconds: 0).advanced(by: ExpiryTests.age)
        let context = LaneContext(
            outbox: outbox,
            now: StoredMoment(wall: Timestamp(microseconds: 0), monotonic: later, boot: 7),
            expiry: Expiry(age: .seconds(3600)),
            newID: { .stub() }
        )

        var dropped: [Int] = []
        for _ in 1...3 {
            var (room, change) = (1_000_000, LaneChange())
            lane.dropExpired(context, room: &room, change: &change)
            dropped.append(change.outbox.removedSegments.count)
            #expect((room <= 0) == (dropped.count == 1))
            try outbox.commit(change.outbox, barrier: false)
            lane.refreshHead(from: outbox)
        }

        #expect(dropped == [245, 55, 0])
        #expect(lane.stored.counts.total == 0)
    }

    private func waitUntilEmpty(_ engine: DeliveryEngine) async {
        func isEmpty() async -> Bool { await engine.statistics().allSatisfy { $0.ledger.pending == 0 } }
        while !Task.isCancelled, await !isEmpty() { await engine.storeBuffered() }
    }
}
