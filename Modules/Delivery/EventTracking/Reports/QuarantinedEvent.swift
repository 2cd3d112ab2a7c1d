public import CoreTracker

/// An event refused by a receiver.
///
/// It is kept for inspection until it is retried, discarded or evicted.
public struct QuarantinedEvent: Sendable, Equatable {
    /// The event's id.
    public let id: EventID
    /// The lane whose receiver refused the event.
    public package(set) var lane: LaneID
    /// The status or the receiver's code.
    public package(set) var reason: String
    /// The start of the receiver's response: at most 512 bytes, with control characters escaped.
    public package(set) var response: String
    /// The time of the refusal.
    public package(set) var time: Timestamp
    /// The event's bytes as they were sent.
    public package(set) var fragment: [UInt8]
    /// The batch key of the stored event.
    package var key: String
    /// The user's hash.
    package var user: UserHash?
    /// The decision number of the last decision or erasure before the event was tracked.
    package var decision: UInt64

    package init(
        id: EventID,
        lane: LaneID,
        reason: String,
        response: String,
        time: Timestamp,
        fragment: [UInt8],
        key: String,
        user: UserHash? = .nobody,
        decision: UInt64 = 0
    ) {
        self.id = id
        self.lane = lane
        self.reason = reason
        self.response = response
        self.time = time
        self.fragment = fragment
        self.key = key
        self.user = user
        self.decision = decision
    }
}
