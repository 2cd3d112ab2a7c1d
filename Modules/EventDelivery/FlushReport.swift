public import CoreTracker

/// What a flush has achieved, lane by lane.
public struct FlushReport: Sendable, Hashable {
    /// How a lane stands at the end of a flush.
    public enum Outcome: Sendable, Hashable {
        /// Everything that was tracked before the flush has been delivered or counted.
        case drained
        /// The deadline passed before everything was delivered; the rest is stored.
        case deadlinePassed
        /// The lane waits out a passing fault or its receiver's `Retry-After` beyond the deadline; the rest is stored.
        case waiting
        /// Sending is useless for now; the rest is stored.
        case paused(PauseReason)
        /// The user has not agreed yet, or has refused; what may be kept is stored.
        case withoutConsent
        /// The engine is not open, or no destination serves the lane.
        case unserved
    }

    /// One lane.
    public struct Lane: Sendable, Hashable {
        /// The lane's name.
        public let id: LaneID
        /// How it stands.
        public let outcome: Outcome
        /// Events that were delivered during the flush.
        public let delivered: Int
        /// Events that are still on their way, those tracked during the flush included.
        public let pending: Int
    }

    /// All lanes, in order of their names.
    public let lanes: [Lane]

    /// Whether every lane has delivered or counted all that was tracked before the flush.
    public var isDrained: Bool { lanes.allSatisfy { $0.outcome == .drained } }
}
