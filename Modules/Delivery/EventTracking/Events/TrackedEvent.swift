public import CoreTracker

/// A reference to a tracked event, with which its status can be queried.
public struct TrackedEvent: Sendable, Hashable {
    /// The event's id, which its receiver gets too.
    public let id: EventID
    /// The lane on which the event was tracked.
    public let lane: LaneID
    /// The event's name, at most its first 256 bytes.
    public let name: String
    /// The time of the event.
    public let time: Timestamp
}

extension DeliveryEngine {
    /// Returns the most recently tracked events, the newest first.
    ///
    /// Pass an id to ``explain(_:)`` to query its status. At least the last 64 events of each lane are known, also
    /// before the engine is open. Events refused at once, for example without consent, are counted but not listed. A
    /// restart clears the list.
    ///
    /// - Parameters:
    ///   - name: The name of the events, or `nil` for all names.
    ///   - lane: The lane of the events, or `nil` for all lanes.
    ///   - limit: The maximum number of events.
    /// - Returns: The events, sorted by id from the newest to the oldest.
    public func recentEvents(named name: String? = nil, on lane: LaneID? = nil, limit: Int = 20) -> [TrackedEvent] {
        let name = name.map(BufferedEvent.Note.prefix)
        let known = buffer.recentEvents { (name ?? $0.name) == $0.name && (lane ?? $0.lane) == $0.lane }
        return known.sorted(by: \.id).suffix(max(0, limit)).reversed()
    }
}
