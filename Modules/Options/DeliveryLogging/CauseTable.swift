import CoreTracker
import EventTracking

/// The causes reported by a log, and the times of their lines.
///
/// A cause of a lane begins with a line. When a lane has no cause any more, its last causes end with a line each. A
/// cause replaced by another one ends without a line. A loss never ends, and has another line when more events are
/// lost. No cause of a lane begins twice within a minute, and its end has a line at once.
struct CauseTable: Sendable {
    /// The minimum time between two lines of a cause, except that of its end.
    static let interval = Duration.seconds(60)

    /// The reported causes of a lane.
    private struct Lane {
        /// The ongoing causes.
        var begun: [Explanation] = []
        /// The last reported sentence of each loss, by the name of the cause.
        var losses: [String: String] = [:]
        /// The status of the last event that went to quarantine.
        var refusal = ""
        /// The time of the last line of each cause, by its name.
        var times: [String: MonotonicInstant] = [:]
        /// The earliest time for writing an omitted line, if a line was omitted.
        var due: MonotonicInstant?

        /// Returns whether a cause has not been reported as it is.
        func isNews(_ cause: Explanation) -> Bool {
            guard cause.isLoss else { return !begun.contains { $0.name == cause.name } }
            return losses[cause.name].map { $0 != cause.description && !cause.isIntended } ?? true
        }

        /// Returns whether a cause may have a line now, and counts the line.
        mutating func admit(_ name: String, at now: MonotonicInstant) -> Bool {
            let next = times[name]?.advanced(by: CauseTable.interval) ?? now
            guard now >= next else {
                due = min(due ?? next, next)
                return false
            }
            times[name] = now
            return true
        }
    }

    private var lanes: [LaneID?: Lane] = [:]
    /// The earliest time for writing an omitted line, if a line was omitted.
    private(set) var due: MonotonicInstant?

    /// Whether a reported cause has not ended.
    var hasCauses: Bool { lanes.values.contains { !$0.begun.isEmpty } }

    /// Updates the causes of all lanes.
    ///
    /// - Parameters:
    ///   - found: The present causes of each lane.
    ///   - refusals: The statuses of events that went to quarantine, perhaps after `found` was read, by lane.
    ///   - unseen: The lanes without a response in this run, whose failure of an earlier run therefore does not end.
    ///   - now: The time.
    ///   - isFinal: Whether this is the last update. Causes then do not end, and the last number of each loss has a
    ///     line within the minute too.
    /// - Returns: The lines.
    mutating func update(
        _ found: [(lane: LaneID, causes: [Explanation])],
        refusals: [LaneID: String] = [:],
        unseen: Set<LaneID> = [],
        at now: MonotonicInstant,
        isFinal: Bool = false
    ) -> [DeliveryLog.Entry] {
        var lines: [DeliveryLog.Entry] = []
        due = nil
        for (id, causes) in found {
            var lane = lanes[id] ?? Lane()
            lane.due = nil
            if let refusal = refusals[id] { lane.refusal = " (\(refusal))" }
            let states = causes.filter { !$0.isLoss }
            for cause in causes where lane.isNews(cause) {
                guard lane.admit(cause.name, at: now) || isFinal && cause.isLoss else { continue }
                if cause.isLoss { lane.losses[cause.name] = cause.description } else { lane.begun.append(cause) }
                var said = cause
                if cause.name == "quarantined" { said.cause += lane.refusal }
                CauseTable.add(cause.level, id, cause.name, said.description, to: &lines)
            }
            let ended = lane.begun.filter { begun in
                !states.contains { $0.name == begun.name } && !(unseen.contains(id) && begun.isOfEarlierRun)
            }
            for cause in ended where states.isEmpty && !isFinal {
                CauseTable.add(.notice, id, cause.name, "resolved: \(cause.cause)", to: &lines)
            }
            lane.begun.removeAll { begun in ended.contains { $0.name == begun.name } }
            lanes[id] = lane
            due = [due, lane.due].compactMap(\.self).min()
        }
        return lines
    }

    /// Reports something that happens at one moment, and does not end.
    ///
    /// - Returns: The line, or `nil` within a minute after the last one.
    mutating func report(_ cause: Explanation, of id: LaneID?, at now: MonotonicInstant) -> DeliveryLog.Entry? {
        guard lanes[id, default: Lane()].admit(cause.name, at: now) else { return nil }
        return DeliveryLog.Entry(cause.level, id.map { [$0] } ?? [], code: cause.name, cause.description)
    }

    /// Returns a line for each text.
    static func notices(_ found: [(lane: LaneID, text: Explanation?)]) -> [DeliveryLog.Entry] {
        var lines: [DeliveryLog.Entry] = []
        for case (let id, let text?) in found { add(.notice, id, text.name, text.description, to: &lines) }
        return lines
    }

    /// Adds a line, or adds the lane to the line with the same text.
    private static func add(
        _ level: DeliveryLog.Entry.Level,
        _ lane: LaneID,
        _ code: String,
        _ message: String,
        to lines: inout [DeliveryLog.Entry]
    ) {
        let known = lines.firstIndex { $0.level == level && $0.code == code && $0.message == message }
        let lanes = (known.map { lines.remove(at: $0).lanes } ?? []) + [lane]
        lines.insert(DeliveryLog.Entry(level, lanes, code: code, message), at: known ?? lines.endIndex)
    }
}

extension Explanation {
    /// The level of the cause's line.
    fileprivate var level: DeliveryLog.Entry.Level { isIntended ? .notice : .warning }
}
