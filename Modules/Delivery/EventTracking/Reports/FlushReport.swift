public import CoreTracker

/// A report on the events of each lane since the last report.
///
/// For each lane, `pendingAtLastReport + accepted = delivered + pending + quarantined + Σ dropped`. A report starts
/// where the last one ended: a later flush does not report them again.
///
/// ```swift
/// let report = await engine.flush(timeout: .seconds(5))
///
/// #expect(report.isDrained)
/// ```
public struct FlushReport: Sendable, Equatable {
    /// The state of a lane at the end of a flush.
    public enum Outcome: Sendable, Equatable {
        /// All events tracked before the flush are delivered, quarantined or counted as dropped.
        case drained
        /// The timeout passed first. The other events stay stored.
        case timedOut
        /// The lane waits beyond the deadline, after a temporary fault or for a `Retry-After`. The other events stay
        /// stored.
        case waiting
        /// The app holds the lane. The other events stay stored.
        case onHold(Set<HoldReason>)
        /// The lane is paused. The other events stay stored.
        case paused(PauseReason)
        /// The user has not agreed yet, so the events stay stored, or has refused.
        case withoutConsent
        /// The engine waits for its directory, for example because another process uses it. Events stay in the
        /// engine's buffer.
        case storageUnavailable(OutboxError)
        /// The lane has no destination.
        case noDestination
        /// The engine was never opened, or is closed.
        case notOpen
    }

    /// The report for one lane.
    public struct Lane: Sendable, Equatable {
        /// The lane's name.
        public let id: LaneID
        /// The lane's state at the end of the flush.
        public let outcome: Outcome
        /// The number of events tracked on the lane since the last report, including refused ones.
        public let accepted: Int
        /// The number of events delivered since the last report.
        public let delivered: Int
        /// The number of pending events, as in `LaneLedger.pending`, including events tracked during the flush.
        public let pending: Int
        /// The number of events refused by their receiver and kept for inspection.
        public let quarantined: Int
        /// The number of events dropped since the last report, by reason.
        public let dropped: [DropReason: Int]

        /// The number of events pending or quarantined at the last report.
        ///
        /// After a suspension of the storage, it includes the events that another process has added to the directory.
        /// If the disk had refused changes, it also includes settled events that are pending again.
        public var pendingAtLastReport: Int { delivered + pending + quarantined + droppedTotal - accepted }

        /// The number of events dropped since the last report, for all reasons.
        public var droppedTotal: Int { dropped.values.reduce(0, +) }
    }

    /// The reports for all lanes, sorted by name.
    public let lanes: [Lane]

    /// Whether every lane has delivered or counted all events tracked before the flush.
    ///
    /// ``Lane/dropped`` has the number of dropped events.
    public var isDrained: Bool { lanes.allSatisfy { $0.outcome == .drained } }

    /// The number of events of all lanes dropped since the last report.
    public var droppedTotal: Int { lanes.reduce(0) { $0 + $1.droppedTotal } }
}
