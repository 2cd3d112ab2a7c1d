import CoreTracker
public import EventTracking

extension LaneStatistics: CustomStringConvertible, CustomDebugStringConvertible {
    /// The lane, its counts, and its ``explanation`` if there is one.
    ///
    /// It contains nothing of a receiver's response.
    public var description: String {
        let counts = LaneStatistics.counts(
            accepted: ledger.accepted,
            [(ledger.delivered, "delivered"), (ledger.pending, "pending"), (ledger.quarantined, "quarantined")],
            dropped: ledger.dropped
        )
        return "\(id): \(counts)" + (explanation.map { "; \($0)" } ?? "")
    }

    public var debugDescription: String { description }

    /// Returns counts as text, such as `5 accepted: 3 delivered, 1 pending, 1 dropped (no_destination 1)`.
    ///
    /// Counts of zero are omitted, except the first one.
    fileprivate static func counts(accepted: Int, _ others: [(Int, String)], dropped: [DropReason: Int]) -> String {
        let reasons = dropped.compactMap { $1 == 0 ? nil : "\($0.name) \($1)" }.sorted(by: \.self)
        let losses = (dropped.values.reduce(0, +), "dropped (\(reasons.joined(separator: ", ")))")
        let text = (others + [losses]).filter { $0.0 != 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        return "\(accepted) accepted" + (text.isEmpty ? "" : ": \(text)")
    }
}

extension FlushReport.Lane: CustomStringConvertible, CustomDebugStringConvertible {
    /// The lane, its outcome and its counts since the last report.
    ///
    /// Together with the accepted events, `pending at the last report` equals the sum of the other counts.
    public var description: String {
        let counts = LaneStatistics.counts(
            accepted: accepted,
            [
                (pendingAtLastReport, "pending at the last report"), (delivered, "delivered"), (pending, "pending"),
                (quarantined, "quarantined"),
            ],
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
        case .onHold(let reasons): "on hold (\(reasons.sorted(by: \.self).map(\.name).joined(separator: ", ")))"
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

extension Timestamp {
    /// Returns the minute in UTC, such as `14:02 UTC`, preceded by the date if it differs from the date of `now`.
    func minute(on now: Timestamp?) -> String {
        let (date, time) = (rfc3339.prefix(10), rfc3339.dropFirst(11).prefix(5))
        return now?.rfc3339.prefix(10) == date ? "\(time) UTC" : "\(date) \(time) UTC"
    }
}

extension Duration {
    /// The duration in a suitable unit, rounded down: `40 s`, `12 min`, `5 h` or `3 days`.
    package var inOneUnit: String {
        let seconds = wholeSeconds
        return switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7_200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) days"
        }
    }
}
