/// The counts of a collector since its start.
public struct CollectorTally: Sendable, Hashable {
    /// The number of accepted connections.
    public internal(set) var connections = 0
    /// The number of open connections.
    public internal(set) var openConnections = 0
    /// The number of failed attempts to accept a connection.
    ///
    /// An attempt fails if the process has no file descriptor left or the collector has its maximum of 512 connections.
    public internal(set) var failedAccepts = 0
    /// The number of requests whose head was read.
    public internal(set) var startedRequests = 0
    /// The number of complete requests.
    public internal(set) var requests = 0
    /// The number of malformed requests: invalid HTTP, too large or incorrectly encoded.
    public internal(set) var malformedRequests = 0
    /// The number of bytes in the bodies of complete requests, as received.
    public internal(set) var bodyBytes = 0
    /// The counts of each service, by the service's name.
    public internal(set) var services: [String: ServiceTally] = [:]

    /// Returns the counts of a service.
    ///
    /// - Parameter service: The service.
    /// - Returns: The counts, which are zero if the service has no requests.
    public func service(_ service: CollectorService) -> ServiceTally {
        services[service.name] ?? ServiceTally()
    }
}

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
