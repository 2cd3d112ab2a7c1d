/// What a collector has counted of one service.
///
/// A request's events are stored unless its answer was a status of 300 or more. An answer that misbehaves after the
/// request has arrived stores them: that is the case in which a sender has to send again what was taken.
public struct ServiceTally: Sendable, Hashable {
    /// Requests that arrived whole.
    public internal(set) var requests = 0
    /// Requests whose body is no JSON of the service's layout.
    public internal(set) var unreadableBodies = 0
    /// Events that arrived, each time that they did.
    public internal(set) var arrivals = 0
    /// Events that arrived in requests that were answered with a status of 300 or more.
    public internal(set) var refused = 0
    /// Different ids among the stored events; an event without an id counts each time.
    public internal(set) var uniqueEvents = 0
    /// Stored events that had been stored before.
    public internal(set) var duplicates = 0
}
