/// One of the events that an engine can explain.
package struct KnownEvent: Sendable, Hashable {
    /// The event's id.
    package let id: EventID
    /// Where it is, and why.
    package let explanation: EventExplanation
}

extension DeliveryEngine {
    /// A choice of the events that can be explained, lane by lane, at most so many of each kind.
    ///
    /// The oldest that are stored or wait for consent, the last that are quarantined, and the last that ended.
    package func knownEvents(limit: Int) async -> [KnownEvent] {
        await knownEventsWhileRunning(limit: max(0, limit)) ?? []
    }
}
