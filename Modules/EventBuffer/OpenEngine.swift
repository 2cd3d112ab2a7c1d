package import CoreTracker

/// The parts of an open engine behind ``DeliveryEngine``, in the module that stores and sends.
///
/// Contract: each method first waits until the opening has ended. ``begin(_:)`` ends its ticket when everything that
/// was tracked before is delivered or counted. A method that needs a result of the storage returns it after ``stop()``
/// too.
package protocol OpenEngine: AnyObject, Sendable {
    /// Begins a flush; the ticket ends when it is done.
    func begin(_ ticket: FlushTicket) async
    /// Stops everything, with all that is left on disk.
    func stop() async
    /// Stores everything that was tracked before the call, with a barrier against power loss.
    func persist() async
    /// Stores what was tracked before the call, and closes the files.
    func suspendStorage() async
    /// Opens the files again.
    func resumeStorage() async
    /// Ends the pause of a lane, or of all.
    func resume(_ lane: LaneID?) async
    /// Applies the last decision about a purpose to stored events and to requests under way.
    func applyConsent(after word: Consent, about purpose: ConsentPurpose) async throws(OutboxError)
    /// Erases what the buffer was asked to erase; returns how many stored events that were.
    func erase() async throws(OutboxError) -> Int
    /// How each lane is doing.
    func statistics() async -> [LaneStatistics]
    /// Where an event is, and why.
    func explain(_ id: EventID) async -> EventExplanation?
    /// The quarantined events of a lane, or of all, oldest first.
    func quarantined(lane: LaneID?) async -> [QuarantinedEvent]
    /// Puts quarantined events back into their lanes; returns how many there were.
    func retryQuarantined(_ ids: Set<EventID>) async -> Int
    /// Gives quarantined events up; returns how many there were.
    func discardQuarantined(_ ids: Set<EventID>) async -> Int
    /// Counts the stored events from their rows, lane by lane.
    func storedEvents() async -> [LaneID: StoredEvents]
}
