package import CoreTracker

/// The calls of an open engine that need only its store.
package protocol EngineStore: Sendable {
    /// Starts a flush: stores all events, lets the lanes skip their back-off, and ends the caller's wait when all events
    /// tracked before are delivered or counted.
    ///
    /// - Parameter flush: The flush.
    func begin(_ flush: Flush) async
    /// Stores all events tracked before the call.
    ///
    /// - Parameter barrier: Whether the events must survive a power loss.
    func storeAll(barrier: Bool) async
    /// Opens the directory again, as at a start.
    func resumeStorage() async
    /// Ends the pause of a lane.
    ///
    /// - Parameter lane: The lane, or `nil` for all lanes.
    func resume(_ lane: LaneID?) async
    /// Reports changed holds to pending flushes, and wakes the lanes.
    func applyHolds() async
    /// Stores the quotas document in effect.
    ///
    /// - Throws: The error of the directory.
    func storeQuotas() async throws(OutboxError)
    /// Returns the statistics of each lane, sorted by lane.
    func statistics() async -> [LaneStatistics]
    /// Returns the status of an event, or `nil` if the event is unknown.
    ///
    /// - Parameter id: The event's id.
    func explain(_ id: EventID) async -> EventExplanation?
    /// Returns the quarantined events, oldest first.
    ///
    /// - Parameter lane: The lane, or `nil` for all lanes.
    func quarantined(lane: LaneID?) async -> [QuarantinedEvent]
    /// Moves quarantined events to the end of their lanes' queues.
    ///
    /// - Parameter ids: The ids of the events.
    /// - Returns: The number of events.
    func retryQuarantined(_ ids: Set<EventID>) async -> Int
    /// Deletes quarantined events, and counts them as dropped.
    ///
    /// - Parameter ids: The ids of the events.
    /// - Returns: The number of events.
    func discardQuarantined(_ ids: Set<EventID>) async -> Int
    /// Counts the stored events of each lane from their rows.
    func storedEvents() async -> [LaneID: StoredEvents]
}
