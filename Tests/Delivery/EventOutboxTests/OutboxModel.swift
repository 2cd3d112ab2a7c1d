import EventTracking
import Testing

@testable import EventOutbox

/// The contents of an outbox as plain values, which a test compares with an outbox after the same changes.
struct OutboxModel {
    private var segments: [SegmentPlace: Segment] = [:]
    private var rows: [RowKey: any OutboxRow] = [:]

    mutating func apply(_ change: OutboxChange) {
        for lane in change.emptied { rows = rows.filter { $0.key.lane != lane } }
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
        for lane in lanes {
            // Below the start, the file may still have segments.
            let last = try outbox.lastSummary(lane: lane.number).flatMap { $0.place.number < lane.start ? nil : $0 }
            #expect(last == visible(of: lane).last?.summary)
        }
        #expect(try outbox.quarantined().sorted { RowKey($0) < RowKey($1) } == all(QuarantineRow.self))
        #expect(try outbox.state() == all(StateRow.self).first ?? StateRow())
        try expectEqual(Outbox(outbox))
    }

    /// Expects the same segments in an outbox, including those only in memory.
    func expectEqual(_ outbox: Outbox) throws {
        for lane in lanes {
            let visible = visible(of: lane)
            var visited: [SegmentSummary] = []
            try outbox.forEachSummary(of: lane) { summary throws(OutboxError) in
                visited.append(summary)
                return true
            }
            #expect(visited == visible.map(\.summary))
            let middle = visible.isEmpty ? nil : visible[visible.count / 2].place
            #expect(
                try outbox.summaries(of: lane, after: middle, limit: 2)
                    == visible.filter { segment in middle.map { segment.place > $0 } ?? true }.prefix(2).map(\.summary)
            )
            for segment in visible { #expect(try outbox.segment(at: segment.place) == segment) }
            #expect(try outbox.recount(lane) == counts(of: visible))
        }
    }

    private func visible(of lane: StoredLane) -> [Segment] {
        segments.values.filter { $0.place.lane == lane.number && $0.place.number >= lane.start }
            .sorted { $0.place < $1.place }
    }

    private func counts(of segments: [Segment]) -> LaneCounts {
        segments.reduce(into: LaneCounts()) { $0.count($1.summary, sign: 1) }
    }
}
