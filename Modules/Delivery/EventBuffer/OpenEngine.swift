package import CoreTracker

/// The interface to the parts of an open engine, which are in the module that stores and sends.
///
/// Each method first waits until the engine is open. ``begin(_:)`` ends its ticket when all events that were tracked
/// before are delivered or counted. A method with a result of the storage also returns it after ``stop()``.
package protocol OpenEngine: AnyObject, Sendable {
    /// Starts a flush, and ends the ticket when it is complete.
    ///
    /// - Parameter ticket: The wait of the caller.
    func begin(_ ticket: FlushTicket) async
    /// Stops everything. Events that are left stay on disk.
    func stop() async
    /// Stores all events that were tracked before the call, with a barrier against power loss.
    func persist() async
    /// Stores the events that were tracked before the call, and closes the files.
    func suspendStorage() async
    /// Opens the files again.
    func resumeStorage() async
    /// Ends the pause of a lane.
    ///
    /// - Parameter lane: The lane, or `nil` for all lanes.
    func resume(_ lane: LaneID?) async
    /// Reports changed holds to pending flushes, and wakes the lanes.
    func applyHolds() async
    /// Stores the limits document in effect.
    ///
    /// - Throws: The error of the directory.
    func storeLimits() async throws(OutboxError)
    /// Stores and applies a decision and all earlier ones. The events that a denial covers are deleted.
    ///
    /// - Parameter decision: The caller's decision.
    /// - Throws: The storage error, if the decision could not be stored or events could not be deleted.
    func apply(_ decision: PrivacyDecision) async throws(OutboxError)
    /// Stores and applies an erasure and all earlier decisions, and deletes the events that it covers.
    ///
    /// - Parameter decision: The erasure.
    /// - Returns: The number of erased stored events.
    /// - Throws: The storage error, if the erasure could not be stored or events could not be deleted.
    func erase(_ decision: PrivacyDecision) async throws(OutboxError) -> Int
    /// Returns the state of each lane.
    func statistics() async -> [LaneStatistics]
    /// Returns the status of an event.
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
