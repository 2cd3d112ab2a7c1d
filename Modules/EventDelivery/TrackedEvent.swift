public import CoreTracker
public import EventOutbox

/// An event that was tracked, as far as one needs it to ask what became of it.
public struct TrackedEvent: Sendable, Hashable {
    /// The event's id, the one that its receiver gets.
    public let id: EventID
    /// The lane that it was tracked on.
    public let lane: LaneID
    /// The event's name.
    public let name: String
    /// When it happened.
    public let time: Timestamp
}

extension DeliveryEngine {
    /// Returns the last events that were tracked, the newest first: those of a name, of a lane, or all.
    ///
    /// Their ids are what ``explain(_:)`` takes. Of each lane at least the last 64 are known, also before the engine is
    /// open; what was refused at once, such as without consent, is counted alone, and a restart forgets them.
    public func recentEvents(named name: String? = nil, on lane: LaneID? = nil, limit: Int = 20) -> [TrackedEvent] {
        let known = intake.recentEvents { (name ?? $0.name) == $0.name && (lane ?? $0.lane) == $0.lane }
        return Array(known.sorted { $0.id > $1.id }.prefix(max(0, limit)))
    }
}
