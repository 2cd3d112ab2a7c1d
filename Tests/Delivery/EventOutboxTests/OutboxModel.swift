import EventDeliveryAPI
import Testing

@testable import EventOutbox

/// The contents of an outbox as plain values, which a test compares with an outbox after the same changes.
struct OutboxModel {
    private var segments: [SegmentPlace: Segment] = [:]
    private var batches: [EventID: StoredBatch] = [:]
    private var quarantined: [QuarantinedEvent] = []
    private var lanes: [Int: StoredLane] = [:]
    private var decisions: [String: DecisionRow] = [:]
    private var erasures: [UInt64: ErasureRow] = [:]
    private var state: PrivacyStateRow?

    mutating func apply(_ change: OutboxChange) {
        for place in change.segments.removed { segments[place] = nil }
        for segment in change.segments.saved { segments[segment.place] = segment }
        for id in change.batches.removed { batches[id] = nil }
        for batch in change.batches.saved { batches[batch.id] = batch }
        quarantined.removeAll { change.quarantined.removed.contains($0.id) }
        quarantined += change.quarantined.saved
        for lane in change.lanes.saved { lanes[lane.number] = lane }
        for decision in change.decisions { decisions[decision.purpose] = decision }
        for number in change.erasures.removed { erasures[number] = nil }
        for erasure in change.erasures.saved { erasures[erasure.number] = erasure }
        state = change.state ?? state
    }

    /// Expects the same contents in a database.
    func expectEqual(_ outbox: SQLiteOutbox) throws {
        #expect(try outbox.lanes() == lanes.values.sorted { $0.number < $1.number })
        for lane in lanes.keys {
            let expected = batches.values.filter { $0.lane == lane }.sorted { ($0.start, $0.id) < ($1.start, $1.id) }
            #expect(try outbox.batches().filter { $0.lane == lane } == expected)
            #expect(try outbox.lastSummary(lane: lane) == ordered(lane).last?.summary)
        }
        #expect(try outbox.quarantined() == quarantined.sorted { ($0.time, $0.id) < ($1.time, $1.id) })
        let privacy = try outbox.privacy()
        #expect(privacy.decisions == decisions.values.sorted { $0.purpose < $1.purpose })
        #expect(privacy.erasures == erasures.values.sorted { $0.number < $1.number })
        #expect(privacy.state == state ?? PrivacyStateRow())
        try expectEqual(BufferedOutbox(outbox))
    }

    /// Expects the same segments in an outbox, including those only in memory.
    func expectEqual(_ outbox: BufferedOutbox) throws {
        for lane in lanes.values {
            let all = ordered(lane.number)
            let visible = all.filter { $0.decision >= lane.void }
            var visited: [SegmentSummary] = []
            try outbox.forEachSummary(of: lane) { summary throws(OutboxError) in
                visited.append(summary)
                return true
            }
            #expect(visited == visible.map(\.summary))
            let middle = all.isEmpty ? nil : all[all.count / 2].place
            #expect(
                try outbox.summaries(lane: lane.number, after: middle, limit: 2)
                    == all.filter { segment in middle.map { segment.place > $0 } ?? true }.prefix(2).map(\.summary)
            )
            for segment in all { #expect(try outbox.segment(at: segment.place) == segment) }
            #expect(try outbox.recount(lane, privacy) == counts(of: visible))
        }
    }

    private var privacy: PrivacyRows {
        var rows = PrivacyRows()
        rows.erasures = Array(erasures.values)
        return rows
    }

    private func ordered(_ lane: Int) -> [Segment] {
        segments.values.filter { $0.place.lane == lane }.sorted { $0.place < $1.place }
    }

    private func counts(of segments: [Segment]) -> LaneCounts {
        segments.filter { !privacy.isErased($0.user, $0.decision) }
            .reduce(into: LaneCounts()) { $0.count($1.summary, sign: 1) }
    }
}
