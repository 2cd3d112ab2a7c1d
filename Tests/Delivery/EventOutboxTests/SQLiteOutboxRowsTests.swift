import CoreTracker
import EventBuffer
import EventDeliveryTesting
import Testing

@testable import EventOutbox

/// Rows with right checksums and numbers that nobody writes.
@Suite struct SQLiteOutboxRowsTests {
    private static let extremes: [Int64] = [.min, -1, 1 << 62, .max]

    @Test(arguments: extremes)
    func `a count that no lane reaches makes the row damaged`(number: Int64) throws {
        for column in [\LaneLedger.accepted, \.delivered, \.quarantined] {
            var lane = lane
            lane.ledger[keyPath: column] = Int(number)
            let found = try reopened { $0.lanes = [lane] }
            #expect(try found.lanes().map(\.isDamaged) == [true])
        }
    }

    @Test(arguments: extremes)
    func `a count by reason or rule, and the number of the next event, are looked at too`(number: Int64) throws {
        var (dropped, adjusted, next) = (lane, lane, lane)
        dropped.ledger.dropped = [.expired: Int(number), .closed: Int(number)]
        adjusted.ledger.adjusted = ["a": Int(number)]
        next.nextNumber = number

        for crafted in [dropped, adjusted, next] {
            let found = try reopened { $0.lanes = [crafted] }
            #expect(try found.lanes().map(\.isDamaged) == [true])
        }
    }

    @Test(arguments: [Int.min, -1, 0, 1 << 22, .max])
    func `a lane of an impossible number is none`(number: Int) throws {
        let found = try reopened { change in
            change.lanes = [lane]
            change.lanes[0].number = number
        }

        #expect(try found.lanes().isEmpty)
    }

    @Test(arguments: extremes)
    func `waits, limits and moments are brought into their range`(number: Int64) throws {
        var crafted = lane
        crafted.learnedBodyBytes = Int(number)
        crafted.retryState.remaining = .nanoseconds(number)
        crafted.retryState.failures = Int(number)
        crafted.retryState.noted = MonotonicInstant(nanoseconds: number)
        crafted.lastSuccess = Timestamp(microseconds: number)

        let found = try #require(try reopened { $0.lanes = [crafted] }.lanes().first)

        #expect(!found.isDamaged)
        #expect((0...(1 << 30)).contains(found.learnedBodyBytes))
        #expect((0...(1 << 30)).contains(found.retryState.failures))
        #expect(found.retryState.remaining >= .zero && found.retryState.remaining <= .seconds(315_360_000))
        #expect(found.retryState.noted.nanoseconds >= 0)
        #expect(found.lastSuccess?.isPossible != false)
    }

    @Test(arguments: extremes)
    func `a segment that counts what it cannot hold counts nothing, and its records are read`(number: Int64) throws {
        var segments = [1, 4, 7].map { Segment.stub(number: $0, ids: 1...3) }
        segments[0].count = Int(number)
        segments[1].stored.wall = Timestamp(microseconds: number)
        segments[2].stored.monotonic = MonotonicInstant(nanoseconds: number)

        let found = try reopened { change in
            change.lanes = [lane]
            change.inserted = segments
        }

        let summaries = try found.summaries(lane: 1, after: nil, limit: .max)
        #expect(summaries[0].count == 0)
        #expect(summaries.allSatisfy { $0.stored.wall.isPossible && $0.stored.monotonic.nanoseconds >= 0 })
        #expect(try found.segment(at: segments[0].place)?.read().count == 3)
        #expect(try found.recount(lane: 1).totalEvents == 9)
        let contents = try OutboxContents(of: found, lanes: found.lanes())
        #expect(contents.pendingEvents == 9)
    }

    @Test func `a batch of several lanes, of no order or of too many attempts is none`() throws {
        let places = [
            SegmentPlace(lane: 1, number: 1), SegmentPlace(lane: 1, number: 2), SegmentPlace(lane: 2, number: 1),
        ]
        let batches = [
            StoredBatch(id: .stub(1), segments: [places[0], places[2]]),
            StoredBatch(id: .stub(2), segments: [places[1], places[0]]),
            StoredBatch(id: .stub(3), segments: [places[0], places[0]]),
            StoredBatch(id: .stub(4), segments: [places[0]], attempts: .max),
            StoredBatch(id: .stub(5), segments: [SegmentPlace(lane: 1, number: -1)]),
            StoredBatch(id: .stub(6), segments: [places[0], places[1]], attempts: 3),
        ]

        let found = try reopened { $0.savedBatches = batches }

        #expect(try found.batches(lane: 1) == [batches[5]])
    }

    @Test(arguments: extremes)
    func `running counts that no lane reaches are counted anew`(number: Int64) throws {
        let queue = try TemporaryQueue()
        let outbox = try queue.outbox()
        var change = OutboxChange()
        change.inserted = [.stub(ids: 1...3)]
        try outbox.commit(change, barrier: true)
        var usage = LaneUsage()
        usage.events = [Int(number), 0, 0]
        try outbox.connection.execute("UPDATE usage SET low = \(number), crc = \(usage.checksum(lane: 1))")
        outbox.close()

        let found = try SQLiteOutbox(path: queue.path)

        #expect(try found.usage(lane: 1).totalEvents == 3)
    }

    @Test func `a place that is held and deliverable is granted once`() throws {
        let found = try reopened { change in
            change.lanes = [lane]
            change.inserted = [.stub(ids: 1...3)]
            change.insertedHeld = [.stub(ids: 1...3)]
        }
        var grant = OutboxChange()
        grant.grantedLanes = [1]

        try found.commit(grant, barrier: true)

        #expect(try found.usage(lane: 1).totalEvents == 3)
        #expect(try found.usage(lane: 1).heldEvents == 0)
    }

    @Test func `places beyond those that events get are not read, and go with a purge`() throws {
        let far = Segment.stub(number: (1 << 40) - 1)
        let found = try reopened { change in
            change.lanes = [lane]
            change.inserted = [far]
        }

        #expect(try found.lastSummary(lane: 1) == nil)
        try found.purge([lane])
        #expect(try found.connection.integer("SELECT count(*) FROM segment") == 0)
    }

    private var lane: StoredLane {
        var lane = StoredLane(number: 1, id: LaneID(product: "T", service: "lines"))
        lane.ledger.accepted = 3
        lane.nextNumber = 4
        return lane
    }

    /// An outbox that was written with a change, whatever it says, and opened again.
    private func reopened(_ fill: (inout OutboxChange) -> Void) throws -> SQLiteOutbox {
        let queue = try TemporaryQueue()
        let outbox = try queue.outbox()
        var change = OutboxChange()
        fill(&change)
        try outbox.commit(change, barrier: true)
        outbox.close()
        return try SQLiteOutbox(path: queue.path)
    }
}
