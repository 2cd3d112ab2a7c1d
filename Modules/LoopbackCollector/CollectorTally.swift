/// What a collector has counted since it started.
public struct CollectorTally: Sendable, Hashable {
    /// Connections accepted.
    public internal(set) var connections = 0
    /// Connections that have not ended yet.
    public internal(set) var openConnections = 0
    /// Attempts to accept a connection that failed because the process had no descriptor left, or the collector had
    /// its maximum of 512 connections.
    public internal(set) var failedAccepts = 0
    /// Requests whose head has been read.
    public internal(set) var begunRequests = 0
    /// Requests that arrived whole.
    public internal(set) var requests = 0
    /// Requests that were no valid HTTP, too large or wrongly encoded.
    public internal(set) var malformedRequests = 0
    /// Bytes of the bodies that arrived whole, as they came over the wire.
    public internal(set) var bodyBytes = 0
    /// What each service's requests brought, by the service's name.
    public internal(set) var services: [String: ServiceTally] = [:]

    /// What a service's requests brought.
    public func service(_ service: CollectorService) -> ServiceTally {
        services[service.name] ?? ServiceTally()
    }
}
