/// The counts of one service.
///
/// The events of a request are stored unless its response has a status of 300 or more. If the collector produces a
/// fault after the request was complete, the events are stored too. In this case, a sender must send events again that
/// were already stored.
public struct ServiceTally: Sendable, Hashable {
    /// The number of complete requests.
    public internal(set) var requests = 0
    /// The number of requests whose body does not have the service's layout.
    public internal(set) var unreadableBodies = 0
    /// The number of received events, including repeated ones.
    public internal(set) var arrivals = 0
    /// The number of events in requests whose response had a status of 300 or more.
    public internal(set) var refused = 0
    /// The number of distinct ids of stored events.
    ///
    /// Each event without an id counts.
    public internal(set) var uniqueEvents = 0
    /// The number of stored events whose id had been stored before.
    public internal(set) var duplicates = 0
}
