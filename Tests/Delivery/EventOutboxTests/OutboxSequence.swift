import CoreTracker
import EventBuffer
import EventDeliveryTesting
import Testing

@testable import EventOutbox

/// Random changes of one lane that follow each other as a store's do: places are new, removals are of what is there or
/// of what is not.
struct OutboxSequence {
    let lane: Int
    private var nextNumber: Int64 = 1
    private var segments: [SegmentPlace] = []
    private var held: [SegmentPlace] = []
    private var batches: [StoredBatch] = []
    private var refused: [EventID] = []
    private var books: StoredLane

    init(lane: Int) {
        self.lane = lane
        books = StoredLane(number: lane, id: LaneID(product: "T", service: "\(lane)"))
    }

    /// The next change: some steps of any kind, or a grant, which comes alone.
    mutating func change(using random: inout SeededGenerator) -> OutboxChange {
        var change = OutboxChange()
        if Int.random(in: 0..<8, using: &random) == 0 {
            segments += held
            held = []
            change.grantedLanes = [lane]
            return change
        }
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1, 2: insert(into: &change, using: &random)
            case 3: remove(from: &change, using: &random)
            case 4: hold(in: &change, using: &random)
            case 5: batch(in: &change, using: &random)
            case 6: quarantine(in: &change, using: &random)
            default: note(in: &change, using: &random)
            }
        }
        return change
    }

    /// The change that takes out everything that is left.
    var ending: OutboxChange {
        var change = OutboxChange()
        change.removed = segments
        change.removedHeld = held
        change.removedBatches = batches.map(\.id)
        change.removedQuarantined = refused
        return change
    }

    /// Expects that two outboxes return the same results for every query about the lane.
    func expectEqual(_ left: some Outbox, _ right: some Outbox) throws {
        let lane = lane
        let place = SegmentPlace(lane: lane, number: nextNumber / 2)
        #expect(
            try left.summaries(lane: lane, after: nil, limit: 5) == right.summaries(lane: lane, after: nil, limit: 5)
        )
        #expect(
            try left.summaries(lane: lane, after: place, limit: 99)
                == right.summaries(lane: lane, after: place, limit: 99)
        )
        for place in segments { #expect(try left.segment(at: place) == right.segment(at: place)) }
        #expect(try left.heldSegments(lane: lane) == right.heldSegments(lane: lane))
        #expect(try left.batches(lane: lane) == right.batches(lane: lane))
        #expect(try left.usage(lane: lane) == right.usage(lane: lane))
        #expect(try left.recount(lane: lane) == right.usage(lane: lane))
        #expect(try left.lastSummary(lane: lane) == right.lastSummary(lane: lane))
        #expect(
            try left.quarantined(lane: books.id, limit: 99).sorted { $0.id < $1.id }
                == right.quarantined(lane: books.id, limit: 99).sorted { $0.id < $1.id }
        )
        #expect(try left.lanes().first { $0.number == lane } == right.lanes().first { $0.number == lane })
    }

    private mutating func newSegment(using random: inout SeededGenerator) -> Segment {
        let texts = (0..<Int.random(in: 1...3, using: &random)).map { "{\"n\":\(nextNumber + Int64($0))}" }
        let priority = TrackOptions.Priority.allCases.randomElement(using: &random) ?? .normal
        let segment = OutboxContract.segment(lane: lane, number: nextNumber, priority: priority, texts: texts)
        nextNumber += Int64(texts.count)
        return segment
    }

    private mutating func insert(into change: inout OutboxChange, using random: inout SeededGenerator) {
        let segment = newSegment(using: &random)
        segments.append(segment.place)
        change.inserted.append(segment)
    }

    private mutating func remove(from change: inout OutboxChange, using random: inout SeededGenerator) {
        guard let place = segments.randomElement(using: &random),
            !change.inserted.contains(where: { $0.place == place })
        else { return }
        change.removed.append(place)
        guard Bool.random(using: &random) else { return segments.removeAll { $0 == place } }
        change.inserted.append(OutboxContract.segment(lane: lane, number: place.number, texts: ["{}"]))
    }

    private mutating func hold(in change: inout OutboxChange, using random: inout SeededGenerator) {
        let segment = newSegment(using: &random)
        held.append(segment.place)
        change.insertedHeld.append(segment)
    }

    private mutating func batch(in change: inout OutboxChange, using random: inout SeededGenerator) {
        if var batch = batches.randomElement(using: &random), Bool.random(using: &random) {
            batch.attempts += 1
            if Bool.random(using: &random) {
                change.savedBatches.removeAll { $0.id == batch.id }
                change.savedBatches.append(batch)
            } else if !change.savedBatches.contains(where: { $0.id == batch.id }) {
                change.removedBatches.append(batch.id)
                batches.removeAll { $0.id == batch.id }
            }
        } else if let place = segments.randomElement(using: &random) {
            let batch = StoredBatch(id: EventID(high: random.next(), low: random.next()), segments: [place])
            batches.append(batch)
            change.savedBatches.append(batch)
        }
    }

    private mutating func quarantine(in change: inout OutboxChange, using random: inout SeededGenerator) {
        if let id = refused.randomElement(using: &random), Bool.random(using: &random),
            !change.insertedQuarantined.contains(where: { $0.id == id })
        {
            change.removedQuarantined.append(id)
            refused.removeAll { $0 == id }
        } else {
            let id = EventID(high: random.next(), low: random.next())
            refused.append(id)
            change.insertedQuarantined.append(
                QuarantinedEvent(
                    id: id,
                    lane: books.id,
                    reason: "r",
                    response: "",
                    time: Timestamp(microseconds: 1),
                    fragment: [UInt8(truncatingIfNeeded: id.low)],
                    key: ""
                )
            )
        }
    }

    private mutating func note(in change: inout OutboxChange, using random: inout SeededGenerator) {
        books.nextNumber = nextNumber
        books.learnedBodyBytes = Int.random(in: 0...9, using: &random)
        books.ledger.drop(1, [DropReason.expired, .closed].randomElement(using: &random) ?? .closed)
        change.lanes.removeAll()
        change.lanes.append(books)
    }
}
