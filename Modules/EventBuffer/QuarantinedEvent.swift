public import CoreTracker

/// An event that a receiver refused, kept for inspection until it is retried, discarded or pushed out by the cap.
public struct QuarantinedEvent: Sendable, Hashable {
    /// The event's id.
    public let id: EventID
    /// The lane whose receiver refused it.
    public let lane: LaneID
    /// Why: the status or the receiver's own code.
    public let reason: String
    /// The start of the receiver's answer: at most 512 bytes, control characters escaped.
    public let answer: String
    /// When it was refused.
    public let time: Timestamp
    /// The event as it was sent.
    public let fragment: [UInt8]
    /// The batch key that it was stored under.
    package let key: String
    /// Its user; `nil` for what earlier versions have stored.
    package let user: UserMark?

    package init(
        id: EventID,
        lane: LaneID,
        reason: String,
        answer: String,
        time: Timestamp,
        fragment: [UInt8],
        key: String,
        user: UserMark? = nil
    ) {
        self.id = id
        self.lane = lane
        self.reason = reason
        self.answer = answer
        self.time = time
        self.fragment = fragment
        self.key = key
        self.user = user
    }
}
