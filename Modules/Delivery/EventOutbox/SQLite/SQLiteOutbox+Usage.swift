package import EventBuffer

/// The running counts of the lanes' stored events.
///
/// They are stored in separate rows by the transactions that change them.
extension SQLiteOutbox {
    /// The tables of segments.
    enum Table: String, CaseIterable, CustomStringConvertible {
        /// Segments that may be delivered.
        case segment
        /// Segments that wait for consent.
        case held

        var description: String { rawValue }

        /// The table's columns.
        var layout: SQLiteTable {
            switch self {
            case .segment: .segment
            case .held: .held
            }
        }
    }

    /// The effect of one change on the counts.
    struct UsageChange {
        private let outbox: SQLiteOutbox
        private var changed: Set<Int> = []

        init(of outbox: SQLiteOutbox) {
            self.outbox = outbox
        }

        /// Reads the counts of a lane before its rows change.
        func begin(_ lane: Int) throws(OutboxError) {
            _ = try outbox.runningUsage(lane: lane)
        }

        /// Adds a segment, or subtracts it if `sign` is -1.
        ///
        /// If the segment is damaged, its size is unknown, and the lane is counted again.
        mutating func count(_ segment: SegmentSummary, in table: Table, sign: Int) throws(OutboxError) {
            let lane = segment.place.lane
            guard segment.count > 0 else { return try recount(lane) }
            var usage = try outbox.runningUsage(lane: lane)
            switch table {
            case .segment: usage.count(segment, sign: sign)
            case .held: usage.countHeld(segment, sign: sign)
            }
            outbox.usages[lane] = usage
            changed.insert(lane)
        }

        /// Counts a lane again.
        mutating func recount(_ lane: Int) throws(OutboxError) {
            outbox.usages[lane] = try outbox.countRows(lane: lane)
            changed.insert(lane)
        }

        func save() throws(OutboxError) {
            for lane in changed {
                guard let usage = outbox.usages[lane] else { continue }
                try outbox.save(usage, lane: lane)
            }
        }
    }

    package func usage(lane: Int) throws(OutboxError) -> LaneUsage {
        var usage = try runningUsage(lane: lane)
        usage.oldest = try summaries(lane: lane, after: nil, limit: 1).first?.stored
        return usage
    }

    package func recount(lane: Int) throws(OutboxError) -> LaneUsage {
        let usage = try countRows(lane: lane)
        try connection.transaction { () throws(OutboxError) in try save(usage, lane: lane) }
        usages[lane] = usage
        return try self.usage(lane: lane)
    }

    /// Returns the counts of a lane.
    ///
    /// If its row is damaged or implausible, the lane is counted again.
    private func runningUsage(lane: Int) throws(OutboxError) -> LaneUsage {
        if let usage = usages[lane] { return usage }
        var usage = try storedUsage(lane: lane)
        if usage == nil { usage = try countRows(lane: lane) }
        usages[lane] = usage
        return usage ?? LaneUsage()
    }

    private func storedUsage(lane: Int) throws(OutboxError) -> LaneUsage? {
        let statement = try connection.statement(
            "SELECT \(SQLiteTable.usage.columns) FROM usage WHERE lane = ?"
        )
        defer { statement.reset() }
        try statement.bind([.integer(Int64(lane))])
        guard try statement.step() else { return nil }
        var row = SQLiteRow(statement)
        guard row.int() == lane else { return nil }
        var usage = LaneUsage()
        usage.events = (0..<3).map { _ in row.int() }
        usage.bytes = row.int()
        usage.heldEvents = row.int()
        usage.heldBytes = row.int()
        return Int64(usage.checksum(lane: lane)) == row.integer() && usage.isPossible ? usage : nil
    }

    private func countRows(lane: Int) throws(OutboxError) -> LaneUsage {
        var usage = LaneUsage()
        for table in Table.allCases {
            let statement = try connection.statement(
                "SELECT \(SQLiteTable.measuredSummary) FROM \(table) WHERE place BETWEEN ? AND ?",
                readsTexts: true
            )
            defer { statement.reset() }
            let range = places(of: lane)
            try statement.bind([range.first, range.last])
            while try statement.step() {
                var summary = SQLiteOutbox.measuredSummary(in: statement)
                if summary.count == 0 { try measure(&summary, in: table) }
                switch table {
                case .segment: usage.count(summary, sign: 1)
                case .held: usage.countHeld(summary, sign: 1)
                }
            }
        }
        return usage
    }

    /// Counts the valid records of a segment whose columns are damaged.
    private func measure(_ summary: inout SegmentSummary, in table: Table) throws(OutboxError) {
        let statement = try connection.statement(
            "SELECT \(table.layout.columns) FROM \(table) WHERE place = ?"
        )
        defer { statement.reset() }
        try statement.bind([.integer(summary.place.rawValue)])
        guard try statement.step() else { return }
        let segment = SQLiteOutbox.segment(in: statement)
        summary.count = segment.read().count
        summary.bytes = segment.records.count
    }

    private func save(_ usage: LaneUsage, lane: Int) throws(OutboxError) {
        let numbers = [lane] + usage.events + [usage.bytes, usage.heldEvents, usage.heldBytes]
        let values = numbers.map { SQLiteValue.integer(Int64($0)) }
        try connection.statement(SQLiteTable.usage.replace).run(
            values + [.integer(Int64(usage.checksum(lane: lane)))]
        )
    }
}
