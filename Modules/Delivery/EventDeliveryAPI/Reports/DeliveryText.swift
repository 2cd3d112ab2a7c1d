/// The counts of a lane as text, for reports.
///
/// An example is `5 accepted: 3 delivered, 1 pending, 1 dropped (no_destination 1)`. Counts of zero are omitted, except
/// the first one. `pendingAtLastReport` counts the unsettled events at the last report. Together with the accepted
/// events, it equals the sum of the other counts.
enum DeliveryText {
    static func counts(
        accepted: Int,
        pendingAtLastReport: Int = 0,
        delivered: Int,
        pending: Int,
        quarantined: Int,
        dropped: [DropReason: Int]
    ) -> String {
        let total = dropped.values.reduce(0, +)
        let reasons = dropped.filter { $0.value != 0 }.map { "\($0.key.name) \($0.value)" }.sorted()
        let parts = [
            (pendingAtLastReport, "pending at the last report"), (delivered, "delivered"), (pending, "pending"),
            (quarantined, "quarantined"),
            (total, "dropped (\(reasons.joined(separator: ", ")))"),
        ]
        let text = parts.filter { $0.0 != 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        return "\(accepted) accepted" + (text.isEmpty ? "" : ": \(text)")
    }
}

extension LaneStatistics: CustomStringConvertible, CustomDebugStringConvertible {
    /// The lane, its counts, and its ``explanation`` if there is one.
    ///
    /// It contains nothing of a receiver's response.
    public var description: String {
        let counts = DeliveryText.counts(
            accepted: ledger.accepted,
            delivered: ledger.delivered,
            pending: ledger.pending,
            quarantined: ledger.quarantined,
            dropped: ledger.dropped
        )
        return "\(id): \(counts)" + (explanation.map { "; \($0)" } ?? "")
    }

    public var debugDescription: String { description }
}

extension FlushReport.Lane: CustomStringConvertible, CustomDebugStringConvertible {
    /// The lane, its outcome and its counts since the last report.
    public var description: String {
        let counts = DeliveryText.counts(
            accepted: accepted,
            pendingAtLastReport: pendingAtLastReport,
            delivered: delivered,
            pending: pending,
            quarantined: quarantined,
            dropped: dropped
        )
        return "\(id) \(outcome): \(counts)"
    }

    public var debugDescription: String { description }
}

extension FlushReport.Outcome: CustomStringConvertible {
    public var description: String {
        switch self {
        case .drained: "drained"
        case .timedOut: "timed out"
        case .waiting: "waiting"
        case .onHold(let reasons): "on hold (\(reasons.sorted().map(\.name).joined(separator: ", ")))"
        case .paused(let reason): "paused (\(reason.rawValue))"
        case .withoutConsent: "without consent"
        case .storageUnavailable(let error): "storage unavailable (\(error))"
        case .noDestination: "no destination"
        case .notOpen: "not open"
        }
    }
}

extension FlushReport: CustomStringConvertible, CustomDebugStringConvertible {
    /// A line for each lane.
    public var description: String {
        lanes.isEmpty ? "no lanes" : lanes.map(\.description).joined(separator: "\n")
    }

    public var debugDescription: String { description }
}
