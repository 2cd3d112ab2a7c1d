import CoreTracker
import EventDeliveryTesting
import Testing

@testable import EventDelivery
@testable import EventOutbox

@Suite struct LaneQueueTests {
    private let limits = BatchLimits(events: 10, bodyBytes: 1_000)

    @Test(arguments: [(0, 1_000), (400, 400), (9_000, 1_000)])
    func `a remembered body limit lowers the destination's limit and never raises it`(learned: Int, bytes: Int) {
        var lane = makeLane()

        lane.stored.receiver.maximumBodyBytes = learned

        #expect(lane.limits?.bodyBytes == bytes)
    }

    /// A remembered body limit, the framing, and an acknowledged batch; and the limit after it, of at most 10,000 bytes.
    private typealias Raise = (
        learned: Int, framing: Int, batch: (events: Int, bytes: Int, body: Int), raised: Int
    )

    private static let raises: [Raise] = [
        // Another event would exceed the limit, which has therefore ended the batch.
        (1_000, 0, (3, 900, 830), 1_008), (1_000, 0, (1, 600, 576), 1_008), (1_000, 500, (2, 400, 355), 1_008),
        // The framing is larger than the limit, so each request has one event.
        (1_000, 4_096, (1, 100, 80), 1_008),
        // The queue has ended the batch.
        (1_000, 0, (5, 500, 400), 1_000), (1_000, 100, (2, 600, 560), 1_000),
        // A single event is larger than the limit, and the receiver has accepted it.
        (100, 0, (1, 824, 800), 806),
        // The limit is not below the destination's any more.
        (9_950, 0, (10, 9_900, 9_600), 0), (20_000, 0, (10, 9_900, 9_600), 0),
        // The smallest limit and no limit.
        (1, 0, (1, 1, 1), 2), (0, 0, (10, 10_000, 9_800), 0),
    ]

    @Test(arguments: raises.indices)
    func `a remembered body limit rises after a batch that it has ended, and after no other`(row: Int) {
        let raise = LaneQueueTests.raises[row]
        let limits = BatchLimits(events: 100, bodyBytes: 10_000, framingBytes: raise.framing)
        let destination = LineDestination(limits: limits)
        var lane = LaneQueue(stored: StoredLane(number: 1, id: destination.lane), destination: destination)
        lane.stored.receiver.maximumBodyBytes = raise.learned
        var record = LaneQueue.LeaseRecord(faults: 0, start: MonotonicInstant(nanoseconds: 0))
        (record.events, record.bytes) = (raise.batch.events, raise.batch.bytes)

        lane.raiseLimit(record, bodyBytes: raise.batch.body)

        #expect(lane.stored.receiver.maximumBodyBytes == raise.raised)
    }

    @Test(arguments: [
        (BatchResult.delivered, true), (.partial([0: .refused("no")]), true), (.retry(after: nil), false),
        (.paused(.endpoint), false), (.suspect("no"), false),
    ])
    func `only an acknowledgement raises a remembered body limit`(result: BatchResult, raises: Bool) throws {
        let limits = BatchLimits(events: 10, bodyBytes: 1_000, framingBytes: 100)
        let destination = LineDestination(limits: limits)
        var lane = LaneQueue(stored: StoredLane(number: 1, id: destination.lane), destination: destination)
        lane.stored.receiver.maximumBodyBytes = 50

        _ = complete(result, segments: [], of: &lane, try makeContext())

        #expect((lane.stored.receiver.maximumBodyBytes > 50) == raises)
    }

    @Test func `the steps in which a body limit rises grow, and a refused size begins with the first step again`() {
        var lane = makeLane()
        lane.stored.receiver.maximumBodyBytes = 1
        let record = LaneQueue.LeaseRecord(faults: 0, start: MonotonicInstant(nanoseconds: 0), events: 1, bytes: 900)
        var steps: [Int] = []

        for _ in 1...20 {
            lane.stored.receiver.maximumBodyBytes = 900
            lane.raiseLimit(record, bodyBytes: 876)
            steps.append(lane.stored.receiver.maximumBodyBytes - 900)
        }

        #expect(steps == steps.sorted() && steps.first == 7 && steps.last == 15)
    }

    @Test func `a lane without a destination has no limits`() {
        #expect(LaneQueue(stored: makeLane().stored, destination: nil).limits == nil)
    }

    @Test func `counts are zero after all counted segments are removed`() {
        var lane = makeLane()
        let segment = Segment.stub().summary

        lane.account(segment, sign: 1)
        #expect(lane.stored.counts.total == 2 && lane.stored.counts.bytes == segment.bytes)
        lane.account(segment, sign: -1)

        #expect(lane.stored.counts == LaneCounts())
        #expect(!lane.stored.isDamaged)
    }

    @Test func `counts below zero show that rows are missing`() {
        var lane = makeLane()

        lane.account(Segment.stub().summary, sign: -1)

        #expect(lane.stored.isDamaged)
    }

    @Test func `if another outbox replaces the current one, its rows are used and requests stay in flight`() {
        var lane = makeLane()
        lane.batches = [StoredBatch(id: .stub(1), segments: [SegmentPlace(lane: 1, number: 1)])]
        lane.leases = [.stub(1): LaneQueue.LeaseRecord(faults: 0, start: MonotonicInstant(nanoseconds: 0))]
        #expect(lane.batchedPlaces == [SegmentPlace(lane: 1, number: 1)])
        var other = StoredLane(number: 3, id: lane.id)
        other.batches = [StoredBatch(id: .stub(2), segments: [SegmentPlace(lane: 3, number: 7)])]

        lane.restore(other)

        #expect(lane.batches == other.batches)
        #expect(lane.leases.keys.elementsEqual([.stub(1)]))
        #expect(lane.stored.number == 3)
        #expect(lane.stored.ledger == LaneLedger())
        #expect(lane.stored.purpose == "analytics")
    }

    @Test(arguments: TrackOptions.Priority.allCases)
    func `after a restart, a waiting event is due at once if its priority is high`(priority: TrackOptions.Priority) {
        let schedule = SendingSchedule(interval: .seconds(600), events: 10)
        let destination = LineDestination(limits: limits)
        var stored = StoredLane(number: 1, id: destination.lane)
        let segment = Segment.stub(number: stored.nextNumber, ids: 1...1, priority: priority).summary
        stored.counts.count(segment, sign: 1)
        stored.nextNumber += 1
        let empty = StoredLane(number: 1, id: destination.lane)
        var lane = LaneQueue(stored: empty, destination: destination, schedule: schedule)

        lane.restore(stored)

        let isDue = lane.schedule.dueTime(of: segment, at: segment.stored) == nil
        #expect(isDue == (priority == .high))
    }

    @Test func `a lane with events of another purpose keeps that purpose until the decisions are known`() {
        var lane = makeLane()
        var stored = StoredLane(number: 1, id: lane.id)
        stored.purpose = "marketing"
        stored.counts.count(Segment.stub().summary, sign: 1)

        lane.restore(stored)

        #expect(lane.stored.purpose == "marketing")
        #expect(lane.hasPurpose("marketing") && lane.hasPurpose("analytics") && !lane.hasPurpose("other"))
    }

    @Test func `the Retry-After of a receiver applies, even if its batch was removed`() throws {
        var lane = makeLane()
        let batch = StoredBatch(id: .stub(), segments: [SegmentPlace(lane: 1, number: 1)])
        lane.leases = [batch.id: LaneQueue.LeaseRecord(faults: 0, start: MonotonicInstant(nanoseconds: 0))]
        let lease = Lease(
            batch: OutgoingBatch(id: batch.id, key: "", attempt: 1, events: []),
            stored: batch,
            segments: [],
            number: 0
        )
        let asked = RequestOutcome(
            result: .retry(after: .seconds(60)),
            attempt: .responded(HTTPResponse(status: 503)),
            bodyBytes: 100
        )
        let context = try makeContext()
        let now = context.now.monotonic
        var change = LaneChange()

        _ = lane.complete(lease, asked, context, change: &change)

        #expect(lane.leases.isEmpty)
        #expect(!lane.retryState.isOpen(at: now.advanced(by: .seconds(59))))
        #expect(lane.retryState.isOpen(at: now.advanced(by: .seconds(67))))
        #expect(change.outbox.savedLanes.map(\.retryState.reason) == ["retry_after"])
    }

    @Test(arguments: [BatchResult.refused("no"), .tooLarge, .suspect("no")])
    func `a response to a request from before a Retry-After does not end it`(result: BatchResult) throws {
        var lane = makeLane()
        let context = try makeContext()

        // Both batches were leased before the first fault.
        _ = complete(.retry(after: .seconds(60)), segments: [], of: &lane, context)
        _ = complete(result, segments: [], of: &lane, context)

        #expect(lane.retryState.reason == .retryAfter)
        #expect(!lane.retryState.isOpen(at: context.now.monotonic.advanced(by: .seconds(59))))
    }

    @Test(arguments: [(SendingSchedule.immediate, 1), (SendingSchedule(interval: .seconds(60)), 0)])
    func `only a lane that sends at once forms its next batch when a request ends`(
        schedule: SendingSchedule,
        batches: Int
    ) throws {
        let destination = LineDestination(limits: limits)
        var lane = LaneQueue(
            stored: StoredLane(number: 1, id: destination.lane),
            destination: destination,
            schedule: schedule
        )
        let context = try makeContext()
        var rows = OutboxChange()
        rows.save(segments: [.stub(number: 1, ids: 1...2), .stub(number: 3, ids: 3...4)])
        try context.outbox.commit(rows, barrier: false)
        for segment in rows.savedSegments { lane.account(segment.summary, sign: 1) }
        lane.stored.ledger.accepted = 4
        let change = complete(.delivered, segments: Array(rows.savedSegments.prefix(1)), of: &lane, context)

        #expect(change.outbox.savedLanes.map(\.batches.count) == [batches])
        #expect(lane.stored.ledger.delivered == 0 && lane.stored.ledger.pending == 2)
    }

    @Test func `the rules of adjustments at an acknowledgement have bounded names`() throws {
        let destination = AdjustingDestination()
        var lane = LaneQueue(stored: StoredLane(number: 1, id: destination.lane), destination: destination)

        _ = complete(.delivered, segments: [], of: &lane, try makeContext())

        #expect(lane.stored.ledger.adjusted.count <= LaneLedger.maximumNames + 1)
        #expect(lane.stored.ledger.adjusted.keys.allSatisfy { $0.utf8.count <= LaneLedger.maximumNameBytes })
        #expect(lane.stored.ledger.adjusted.values.reduce(0, +) == 301)
    }

    @Test func `each step of a lane passes over a limited number of an erased user's events`() throws {
        let destination = LineDestination(limits: limits)
        let consent = LaneConsent()
        consent.set(.granted, denial: 0)
        var lane = LaneQueue(
            stored: StoredLane(number: 1, id: destination.lane),
            destination: destination,
            consent: consent
        )
        var (context, rows) = (try makeContext(), OutboxChange())
        for number in 1...4_000 {
            var segment = Segment.stub(number: Int64(number), ids: 1...1)
            segment.user = UserHash(rawValue: [1, 3_500, 4_000].contains(number) ? 8 : 7)
            rows.save(segment)
        }
        try context.outbox.commit(rows, barrier: false)
        for segment in rows.savedSegments { lane.account(segment.summary, sign: 1) }
        lane.stored.nextNumber = 4_001
        context.row.erasing = [UserHash(rawValue: 7): 1]
        var (steps, batches) = (0, [StoredBatch]())

        while batches.flatMap(\.segments).count < 3 {
            var change = LaneChange()
            let step = try lane.chooseStep(context, change: &change)
            steps += 1
            batches += change.outbox.savedLanes.flatMap(\.batches)
            guard case .again = step else { break }
            lane.batches.removeAll()
        }

        #expect(batches.flatMap(\.segments).map(\.number) == [1, 3_500, 4_000])
        #expect(steps >= 4)
        #expect(lane.head?.place.number == 1)
    }

    @Test func `a denial of the purpose of earlier events ends with the destination's purpose`() {
        var lane = makeLane()
        var stored = StoredLane(number: 1, id: lane.id)
        stored.purpose = "marketing"
        stored.counts.count(Segment.stub().summary, sign: 1)
        lane.restore(stored)
        var change = OutboxChange()

        _ = lane.empty(.consentDenied, change: &change)

        #expect(lane.stored.purpose == "analytics")
        #expect(change.savedLanes.map(\.purpose) == ["analytics"])
    }

    /// Completes a request with some segments of a lane.
    private func complete(
        _ result: BatchResult,
        segments: [Segment],
        of lane: inout LaneQueue,
        _ context: LaneContext
    ) -> LaneChange {
        let batch = StoredBatch(id: .stub(7), segments: segments.map(\.place))
        lane.batches = [batch]
        lane.leases = [batch.id: LaneQueue.LeaseRecord(faults: 0, start: context.now.monotonic)]
        let lease = Lease(
            batch: OutgoingBatch(id: batch.id, key: "", attempt: 1, events: []),
            stored: batch,
            segments: segments,
            number: 0
        )
        let outcome = RequestOutcome(
            result: result,
            attempt: .responded(HTTPResponse(status: 200)),
            bodyBytes: 100
        )
        var change = LaneChange()
        _ = lane.complete(lease, outcome, context, change: &change)
        return change
    }

    private func makeLane() -> LaneQueue {
        let destination = LineDestination(limits: limits)
        return LaneQueue(stored: StoredLane(number: 1, id: destination.lane), destination: destination)
    }

    private func makeContext() throws -> LaneContext {
        LaneContext(
            outbox: Outbox(try SQLiteOutbox()),
            now: StoredMoment(
                wall: Timestamp(microseconds: 0),
                monotonic: MonotonicInstant(nanoseconds: 0),
                boot: 1
            ),
            expiry: Expiry(age: .seconds(3_600)),
            newID: { .stub() }
        )
    }
}

/// A destination that adjusts events by many rules when a batch is acknowledged.
private struct AdjustingDestination: DestinationWrapper {
    let base: any Destination = LineDestination()

    func adjustments(in batch: OutgoingBatch) -> [String: Int] {
        let rules = (1...300).map { "rule_\($0)" } + [String(repeating: "r", count: 70_000)]
        return Dictionary(uniqueKeysWithValues: rules.map { ($0, 1) })
    }
}
