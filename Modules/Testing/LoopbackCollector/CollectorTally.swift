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
    /// The number of requests that were not valid HTTP, too large or incorrectly encoded.
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
