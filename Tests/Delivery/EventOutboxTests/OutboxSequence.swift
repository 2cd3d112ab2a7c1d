import CoreTracker
import EventDeliveryTesting
import EventTracking

@testable import EventOutbox

/// A sequence of random changes of one lane, as the store makes them.
///
/// Inserted places are new. A removed row may be missing.
struct OutboxSequence {
    private let lane: Int
    private var nextNumber: Int64 = 1
    private var segments: [SegmentPlace] = []
    private var quarantined: [QuarantinedEvent] = []
    private var row: StoredLane
    private var state = StateRow()

    init(lane: Int) {
        self.lane = lane
        row = StoredLane(number: lane, id: LaneID(product: "T", service: "\(lane)"))
    }

    /// Returns the next change, which contains the lane's row.
    mutating func change(using random: inout SeededGenerator) -> OutboxChange {
        var change = OutboxChange()
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            switch Int.random(in: 0..<9, using: &random) {
            case 0, 1, 2: insert(into: &change, using: &random)
            case 3: remove(from: &change, using: &random)
            case 4: batch(using: &random)
            case 5: quarantine(in: &change, using: &random)
            case 6: decide(in: &change, using: &random)
            case 7: erase(in: &change, using: &random)
            default: row.ledger.drop(1, [DropReason.expired, .closed].randomElement(using: &random) ?? .closed)
            }
        }
        row.nextNumber = nextNumber
        if Int.random(in: 0..<6, using: &random) == 0 { empty(in: &change) } else { change.save(row) }
        return change
    }

    private mutating func segment(_ texts: [String], using random: inout SeededGenerator) -> Segment {
        let moment = StoredMoment(
            wall: Timestamp(microseconds: nextNumber),
            monotonic: MonotonicInstant(nanoseconds: nextNumber),
            boot: 7
        )
        var segment = Segment(
            place: SegmentPlace(lane: lane, number: nextNumber),
            priority: TrackOptions.Priority.allCases.randomElement(using: &random) ?? .normal,
            key: "k\(nextNumber % 3)",
            user: UserHash(rawValue: UInt64.random(in: 1...3, using: &random)),
            decision: UInt64.random(in: 0...state.number, using: &random),
            stored: moment
        )
        for text in texts {
            segment.append(id: EventID(high: random.next(), low: random.next()), fragment: Array(text.utf8))
        }
        return segment
    }

    private mutating func insert(into change: inout OutboxChange, using random: inout SeededGenerator) {
        let texts = (0..<Int.random(in: 1...3, using: &random)).map { "{\"n\":\(nextNumber + Int64($0))}" }
        let segment = segment(texts, using: &random)
        nextNumber += Int64(texts.count)
        segments.append(segment.place)
        change.save(segment)
    }

    private mutating func remove(from change: inout OutboxChange, using random: inout SeededGenerator) {
        guard let place = segments.randomElement(using: &random),
            !change.saves(place)
        else { return }
        change.remove(place)
        guard Bool.random(using: &random) else { return segments.removeAll { $0 == place } }
        var replacement = segment(["{}"], using: &random)
        replacement.place = place
        change.save(replacement)
    }

    private mutating func batch(using random: inout SeededGenerator) {
        if let index = row.batches.indices.randomElement(using: &random), Bool.random(using: &random) {
            row.batches[index].attempts += 1
            if Bool.random(using: &random) { row.batches.remove(at: index) }
        } else if let place = segments.randomElement(using: &random), place.number >= row.start {
            row.batches.append(StoredBatch(id: EventID(high: random.next(), low: random.next()), segments: [place]))
        }
    }

    private mutating func quarantine(in change: inout OutboxChange, using random: inout SeededGenerator) {
        if let event = quarantined.randomElement(using: &random), Bool.random(using: &random) {
            change.remove(event, lane: lane)
            quarantined.removeAll { $0.id == event.id }
        } else {
            let event = QuarantinedEvent.stub(EventID(high: random.next(), low: random.next()), lane: row.id)
            quarantined.append(event)
            change.save(event, lane: lane)
        }
    }

    /// Empties the lane, as a denial does.
    private mutating func empty(in change: inout OutboxChange) {
        row.start = nextNumber
        (row.batches, quarantined) = ([], [])
        change.empty(row)
    }

    private mutating func decide(in change: inout OutboxChange, using random: inout SeededGenerator) {
        state.number += 1
        state.decisions[["ads", "analytics"].randomElement(using: &random) ?? "ads"] = StateRow.Decision(
            Consent.allCases.randomElement(using: &random) ?? .unknown,
            denial: UInt64.random(in: 0...state.number, using: &random)
        )
        change.save(state)
    }

    private mutating func erase(in change: inout OutboxChange, using random: inout SeededGenerator) {
        if let user = state.erasing.keys.sorted(by: { ($0?.rawValue ?? 0) < ($1?.rawValue ?? 0) }).first,
            Bool.random(using: &random)
        {
            state.erasing[user] = nil
        } else {
            state.number += 1
            let user = UserHash(rawValue: UInt64.random(in: 1...3, using: &random))
            state.erasing[Bool.random(using: &random) ? user : nil] = state.number
        }
        change.save(state)
    }
}
