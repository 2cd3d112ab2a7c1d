import CSQLite
import CoreTracker
import EventDeliveryTesting
import EventTracking
import Testing

@testable import EventOutbox

/// Tests of rows with correct checksums, but with numbers that the library never writes.
@Suite struct SQLiteOutboxRowsTests {
    private static let extremes: [Int64] = [.min, -1, 1 << 62, .max]

    private let queue: TemporaryQueue

    init() throws { queue = try TemporaryQueue() }

    @Test(arguments: extremes)
    func `a lane's row with an impossible count is damaged`(number: Int64) throws {
        var crafted = Array(repeating: lane, count: 9)
        crafted[0].ledger.accepted = Int(number)
        crafted[1].ledger.delivered = Int(number)
        crafted[2].ledger.quarantined = Int(number)
        crafted[3].ledger.dropped = [.expired: Int(number), .closed: Int(number)]
        crafted[4].ledger.adjusted = ["a": Int(number)]
        crafted[5].nextNumber = number
        crafted[6].counts.events[1] = Int(number)
        crafted[7].counts.bytes = Int(number)
        crafted[8].start = number

        for lane in crafted {
            try queue.commit { $0.save(lanes: [lane]) }
            #expect(try queue.read { try $0.lanes() }.map(\.isDamaged) == [true])
        }
    }

    @Test(arguments: [Int.min, -1, 0, 1 << 22, .max])
    func `a lane with an impossible number is ignored`(number: Int) throws {
        try queue.commit { change in
            var lane = lane
            lane.number = number
            change.save(lane)
        }

        #expect(try queue.read { try $0.lanes() }.isEmpty)
    }

    @Test(arguments: extremes)
    func `waits, limits and times are clamped to their ranges`(number: Int64) throws {
        var crafted = lane
        crafted.receiver.maximumBodyBytes = Int(number)
        crafted.retryState.remaining = .nanoseconds(number)
        crafted.retryState.failures = Int(number)
        crafted.retryState.noted = MonotonicInstant(nanoseconds: number)
        crafted.receiver.lastSuccess = Timestamp(microseconds: number)

        try queue.commit { $0.save(lanes: [crafted]) }

        let found = try #require(try queue.read { try $0.lanes() }.first)
        #expect(!found.isDamaged)
        #expect((0...(1 << 30)).contains(found.receiver.maximumBodyBytes))
        #expect((0...(1 << 30)).contains(found.retryState.failures))
        #expect(found.retryState.remaining >= .zero && found.retryState.remaining <= .seconds(315_360_000))
        #expect(found.retryState.noted.nanoseconds >= 0)
        #expect(found.receiver.lastSuccess?.isPossible != false)
    }

    @Test(arguments: extremes)
    func `a segment with impossible columns counts no events, and its records are read`(number: Int64) throws {
        var segments = [1, 4, 7, 10].map { Segment.stub(number: $0, ids: 1...3) }
        segments[0].count = Int(number)
        segments[1].stored.wall = Timestamp(microseconds: number)
        segments[2].stored.monotonic = MonotonicInstant(nanoseconds: number)
        segments[3].decision = UInt64(bitPattern: number)

        try queue.commit { change in
            change.save(lanes: [lane])
            change.save(segments: segments)
        }

        let summaries = try queue.read { try $0.summaries(lane: 1, after: nil, limit: .max) }
        #expect(summaries.map(\.count).filter { $0 == 0 }.count >= 2)
        #expect(summaries[0].count == 0 && summaries[3].count == 0)
        #expect(summaries.allSatisfy { $0.stored.wall.isPossible && $0.stored.monotonic.nanoseconds >= 0 })
        #expect(summaries.allSatisfy { $0.decision <= StateRow.greatestNumber })
        #expect(try queue.segments().map { $0.read().count } == [3, 3, 3, 3])
        #expect(try queue.read { try Outbox($0).recount(lane) }.total == 12)
    }

    @Test func `a batch of several lanes, in a wrong order or with too many attempts or refusals is ignored`() throws {
        let places = [
            SegmentPlace(lane: 1, number: 1), SegmentPlace(lane: 1, number: 2), SegmentPlace(lane: 2, number: 1),
        ]
        let batches = [
            StoredBatch(id: .stub(1), segments: [places[0], places[2]]),
            StoredBatch(id: .stub(2), segments: [places[1], places[0]]),
            StoredBatch(id: .stub(3), segments: [places[0], places[0]]),
            StoredBatch(id: .stub(4), segments: [places[0]], attempts: .max),
            StoredBatch(id: .stub(5), segments: [SegmentPlace(lane: 1, number: -1)]),
            StoredBatch(id: .stub(6), segments: [places[0], places[1]], attempts: 3, refusals: 2),
            StoredBatch(id: .stub(7), segments: [places[0]], refusals: .max),
        ]

        var lane = lane
        lane.batches = batches
        try queue.commit { $0.save(lanes: [lane]) }

        lane.batches = [batches[5]]
        #expect(try queue.read { try $0.lanes() } == [lane])
    }

    @Test func `a segment behind the last number of a lane is read only with all lanes`() throws {
        let far = Segment.stub(number: (1 << 40) - 1)

        try queue.commit { change in
            change.save(lanes: [lane])
            change.save(segments: [far])
        }

        #expect(try queue.read { try $0.lastSummary(lane: 1) } == nil)
        #expect(try queue.read { try $0.summaries(lane: 1, after: nil, limit: 9) }.isEmpty)
        #expect(try queue.read { try $0.summaries(lane: nil, after: nil, limit: 9) }.map(\.place) == [far.place])
    }

    @Test(arguments: extremes)
    func `a quarantined event with an impossible time or decision is ignored`(number: Int64) throws {
        let sound = QuarantinedEvent.stub(.stub(1), decision: StateRow.greatestNumber)
        let late = QuarantinedEvent(
            id: .stub(3),
            lane: sound.lane,
            reason: "",
            response: "",
            time: Timestamp(microseconds: number == -1 ? .max : number),
            fragment: [],
            key: ""
        )

        try queue.commit { change in
            change.save(quarantined: [sound, .stub(.stub(2), decision: UInt64(bitPattern: number)), late])
        }

        #expect(try queue.read { try $0.quarantined().map(\.event) } == [sound])
    }

    @Test(arguments: ["product", "service", "reason", "purpose"], [1_024, 1_025])
    func `a name in a lane's row has a bound`(column: String, length: Int) throws {
        var lane = lane
        let text = String(repeating: "x", count: length)
        switch column {
        case "product": lane = StoredLane(number: 1, id: LaneID(product: text, service: "lines"))
        case "service": lane = StoredLane(number: 1, id: LaneID(product: "T", service: text))
        case "reason": lane.retryState.reason = text
        case "purpose": lane.purpose = text
        default: break
        }
        let outbox = try queue.outbox()
        var change = OutboxChange()
        change.save(lanes: [lane])
        try outbox.commit(change, barrier: true)

        let found = try outbox.lanes()

        switch column {
        case "product", "service": #expect(found.map(\.isDamaged) == (length > 1_024 ? [] : [false]))
        default: #expect(found.map(\.isDamaged) == [length > 1_024])
        }
        outbox.close()
    }

    @Test(arguments: [("segment", "records"), ("quarantine", "value"), ("lane", "value")])
    func `a value that is longer than any written value is damage, and is not loaded`(
        table: String,
        column: String
    ) throws {
        try queue.commit { change in
            change.save(segments: [.stub(ids: 1...3)])
            change.save(lanes: [lane])
            change.save(quarantined: [.stub(.stub(8))])
        }
        try queue.execute("UPDATE \(table) SET \(column) = zeroblob(65000000)")

        #expect(throws: OutboxError.corrupt) {
            try queue.read { outbox in
                _ = try (outbox.lanes(), outbox.quarantined())
                _ = try outbox.segment(at: SegmentPlace(lane: 1, number: 1))
            }
        }
        let salvaged = try SalvagedOutbox(queue)
        #expect(salvaged.segments.count == (table == "segment" ? 0 : 1))
        // A quarantined event without the row of its lane belongs to no lane.
        #expect(salvaged.rows.quarantined.count == (["quarantine", "lane"].contains(table) ? 0 : 1))
    }

    @Test func `a row that is too large to be stored is no damage to the file`() throws {
        let outbox = try queue.outbox()
        var change = OutboxChange()
        var large = Segment.stub()
        large.records = [UInt8](repeating: 0, count: 40_000_000)
        change.save(large)

        #expect(throws: OutboxError.failed(code: SQLITE_TOOBIG)) { try outbox.commit(change, barrier: false) }
        #expect(try outbox.summaries(lane: nil, after: nil, limit: 9).isEmpty)
    }

    private var lane: StoredLane {
        var lane = StoredLane(number: 1, id: LaneID(product: "T", service: "lines"))
        lane.ledger.accepted = 3
        lane.nextNumber = 4
        return lane
    }
}
