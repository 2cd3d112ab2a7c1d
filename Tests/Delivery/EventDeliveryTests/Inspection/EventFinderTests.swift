import CoreTracker
import EventDeliveryTesting
import Testing

@testable import EventDelivery
@testable import EventDeliveryScenes
@testable import EventOutbox

@Suite(.timeLimit(.minutes(5))) struct EventFinderTests {
    @Test func `an event is explained at each stage of its delivery`() async throws {
        let harness = LaneHarness(limits: BatchLimits(events: 1, bodyBytes: 10_000)) { _, number in
            number <= 2 ? .status(503) : .status(200)
        }
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()
        try await harness.open()
        let (first, second) = (await harness.store(1), await harness.store(2))
        harness.clock.advance(by: try #require(await diagnostics.nextRetry()))
        let wait = try #require(await diagnostics.nextRetry())

        let waiting = [await harness.engine.explain(first), await harness.engine.explain(second)]
        harness.clock.advance(by: wait)
        _ = await harness.engine.flush(timeout: .seconds(5))
        let done = [await harness.engine.explain(first), await harness.engine.explain(second)]

        #expect(waiting.map { $0?.status } == [.sending(attempts: 2), .queued])
        #expect(done.map { $0?.status } == [.delivered, .delivered])
        #expect(done.map { $0?.lane } == [harness.destination.lane, harness.destination.lane])
        #expect(await harness.engine.explain(.stub(99)) == nil)
        try await LedgerCheck.check(harness.engine)
    }

    @Test func `an event that waits for consent is explained`() async throws {
        let harness = LaneHarness()
        try await harness.open(defaultConsent: .unknown)
        let engine = harness.engine
        let lane = engine.lane(harness.destination.lane)
        let id = await lane.trackUntilStored("viewed", parameters: [:]).id

        let held = await engine.explain(id)
        try await engine.setConsent(.granted, for: .analytics)
        _ = await engine.flush(timeout: .seconds(5))
        let granted = await engine.explain(id)

        #expect(held?.status == .awaitingConsent)
        #expect(granted?.status == .delivered)
        try await LedgerCheck.check(engine)
    }

    @Test func `an event that breaks a rule, is too large or has no destination is explained`() async throws {
        let harness = LaneHarness(limits: BatchLimits(events: 9, bodyBytes: 10_000, eventBytes: 500))
        try await harness.open()
        let lane = harness.engine.lane(harness.destination.lane)
        let long: EventParameters = ["text": .string(String(repeating: "x", count: 600))]

        let strict = TrackOptions(durability: .strict)
        let nowhere = harness.engine.lane(LaneID(product: "T", service: "none"))
        let receipts = [
            await lane.trackUntilStored("", parameters: [:], options: strict),
            await lane.trackUntilStored("viewed", parameters: long, options: strict),
            await nowhere.trackUntilStored("viewed", parameters: [:], options: strict),
        ]

        let reasons: [DropReason] = [.rule("name_empty"), .tooLarge, .noDestination]
        #expect(receipts.map(\.outcome) == reasons.map { .dropped($0) })
        for (receipt, reason) in zip(receipts, reasons) {
            #expect(await harness.engine.explain(receipt.id)?.status == .dropped(reason))
        }
        try await LedgerCheck.check(harness.engine)
    }

    @Test func `statistics contain the oldest event's age and the last success`() async throws {
        let harness = LaneHarness { _, number in number == 2 ? .asking(for: 100) : .status(200) }
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()
        try await harness.open()
        let start = harness.clock.wallTime()
        harness.track(1...1)
        _ = await harness.engine.flush(timeout: .seconds(5))
        harness.track(2...2)
        _ = await diagnostics.nextRetry()

        harness.clock.advance(by: .seconds(70))
        let waiting = try #require(await harness.engine.statistics().first)
        harness.clock.jumpWall(bySeconds: 630_720_000)
        let jumped = try #require(await harness.engine.statistics().first)
        harness.clock.advance(by: .seconds(40))
        _ = await harness.engine.flush(timeout: .seconds(5))
        let done = try #require(await harness.engine.statistics().first)

        #expect(waiting.oldestQueuedAge == .seconds(70) && jumped.oldestQueuedAge == .seconds(70))
        #expect(waiting.lastSuccess == start)
        #expect(waiting.ledgerSinceOpening.delivered == 1)
        #expect(done.oldestQueuedAge == nil)
        #expect(done.lastSuccess == harness.clock.wallTime())
        try await LedgerCheck.check(harness.engine)
    }

    @Test func `a search reads at most 256 segments in one step, and finds an event on any page`() throws {
        let (finder, segments) = try makeFinder(segments: 600)
        let last = try #require(segments.last)

        var (steps, place, found) = (0, SegmentPlace?.none, EventExplanation?.none)
        repeat {
            (found, place) = finder.search(.stub(600), after: place)
            steps += 1
            if steps < 3 { #expect(place == segments[steps * 256 - 1].place) }
        } while place != nil

        #expect(steps == 3)
        #expect(found == EventExplanation(lane: LineDestination().lane, status: .queued))
        #expect(finder.search(.stub(600), after: last.place) == (nil, nil))
    }

    @Test func `a search for an unknown event ends after the last segment`() throws {
        let (finder, segments) = try makeFinder(segments: 300)

        var (steps, place) = (0, SegmentPlace?.none)
        repeat {
            let step = finder.search(.stub(301), after: place)
            #expect(step.found == nil)
            place = step.last
            steps += 1
        } while place != nil && steps < 10

        #expect(steps == 3)
        #expect(segments.count == 300)
    }

    @Test func `an event that a decision or an erasure covers is not found, although it is still on disk`() throws {
        var (finder, _) = try makeFinder(segments: 3, decisions: [1, 2, 3], start: 2)

        #expect(finder.search(.stub(1), after: nil).found == nil)
        #expect(finder.search(.stub(2), after: nil).found != nil)
        #expect(finder.count(finder.lanes[0]) == 2)

        var row = StateRow()
        row.erasing[nil] = 3
        finder = EventFinder(
            lanes: finder.lanes,
            outbox: finder.outbox,
            row: row,
            quarantined: [],
            journal: EventJournal()
        )
        #expect(finder.search(.stub(2), after: nil).found == nil)
        #expect(finder.search(.stub(3), after: nil).found != nil)
        // The events of an erasure count until they are removed.
        #expect(finder.count(finder.lanes[0]) == 2)
    }

    /// Returns a finder for an outbox with segments of one event, whose ids are counted from 1.
    private func makeFinder(
        segments count: UInt16,
        decisions: [UInt64] = [],
        start: Int64 = 1
    ) throws -> (EventFinder, [Segment]) {
        let destination = LineDestination()
        let outbox = Outbox(try SQLiteOutbox())
        var change = OutboxChange()
        for number in 1...count {
            var segment = Segment.stub(number: Int64(number), ids: number...number)
            if !decisions.isEmpty { segment.decision = decisions[Int(number) - 1] }
            change.save(segment)
        }
        try outbox.commit(change, barrier: false)
        var stored = StoredLane(number: 1, id: destination.lane)
        (stored.start, stored.nextNumber) = (start, Int64(count) + 1)
        let finder = EventFinder(
            lanes: [LaneQueue(stored: stored, destination: destination)],
            outbox: outbox,
            row: StateRow(),
            quarantined: [],
            journal: EventJournal()
        )
        return (finder, change.savedSegments)
    }
}
