import EventDeliveryAPI
import Testing

@testable import EventOutbox

/// The contents of an outbox as plain values, which a test compares with an outbox after the same changes.
struct OutboxModel {
    private var segments: [SegmentPlace: Segment] = [:]
    private var rows: [RowKey: any OutboxRow] = [:]

    mutating func apply(_ change: OutboxChange) {
        for (place, segment) in change.segments { segments[place] = segment }
        for (key, row) in change.rows { rows[key] = row }
    }

    private func all<Row>(_ type: Row.Type) -> [Row] {
        rows.sorted { $0.key < $1.key }.compactMap { $0.value as? Row }
    }

    private var lanes: [StoredLane] { all(StoredLane.self) }

    /// Expects the same contents in a database.
    func expectEqual(_ outbox: SQLiteOutbox) throws {
        #expect(try outbox.lanes() == lanes)
        for lane in lanes.map(\.number) {
            let expected = all(StoredBatch.self).filter { $0.lane == lane }.sorted {
                ($0.start, $0.id) < ($1.start, $1.id)
            }
            #expect(try outbox.batches().filter { $0.lane == lane } == expected)
            #expect(try outbox.lastSummary(lane: lane) == ordered(lane).last?.summary)
        }
        #expect(try outbox.quarantined() == all(QuarantinedEvent.self).sorted { ($0.time, $0.id) < ($1.time, $1.id) })
        let privacy = try outbox.privacy()
        #expect(privacy.decisions == all(DecisionRow.self))
        #expect(privacy.erasures == all(ErasureRow.self))
        #expect(privacy.state == all(PrivacyStateRow.self).first ?? PrivacyStateRow())
        try expectEqual(Outbox(outbox))
    }

    /// Expects the same segments in an outbox, including those only in memory.
    func expectEqual(_ outbox: Outbox) throws {
        for lane in lanes {
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
        rows.erasures = all(ErasureRow.self)
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
