public import HTTPTransport

/// A scripted HTTP/1.1 server on the loopback address, for tests and demonstrations.
///
/// It records the requests.
///
/// ```swift
/// let collector = try LoopbackCollector()
/// // Send requests to collector.url.
/// let requests = await collector.requests(count: 3)
/// ```
///
/// The server can produce faults that ordinary servers cannot. It is not a production receiver. Each connection has a
/// thread. Heads are limited to 64 KiB, bodies to ``maximumBodyBytes``. It runs until ``close()`` is called or the last
/// reference to it is released.
///
/// No client can stop the collector, but clients can occupy it. It has at most 512 connections, and closes the one that
/// has waited longest for a request if another client connects. If all of them are in the body of a request or in a
/// response, other clients wait until one of these requests ends.
public final class LoopbackCollector: Sendable {
    /// The amount of data kept by a collector.
    public enum Retention: Sendable, Hashable {
        /// All requests.
        case everything
        /// The counts and the event ids, which need a few dozen bytes per event.
        case idsOnly
        /// The counts and the latest ids of each service, for runs of unlimited length.
        ///
        /// The collector keeps at least this number of ids and at most twice as many. If an event arrives again after
        /// its id was discarded, it counts as a new event.
        case latestIDs(Int)
    }

    /// The maximum size of a body, in bytes, both as received and without its gzip encoding.
    ///
    /// Larger bodies get a response with status 413 or 400.
    public static let maximumBodyBytes = 64 * 1024 * 1024

    /// The local network address of the collector, or `nil` if it uses the loopback address.
    public let networkAddress: String?
    private let server: CollectorServer
    private let record: CollectorRecord
    /// The base URL of the collector, such as `http://127.0.0.1:49152`.
    public let url: Endpoint

    /// Starts a collector on a port of 127.0.0.1, of ::1 or of an address of the local network.
    ///
    /// A request belongs to the first service that matches it. A catch-all service such as
    /// ``CollectorService/awesomeTracking`` only gets requests that no other service matches.
    ///
    /// - Parameters:
    ///   - port: The port, or 0 to select any free port.
    ///   - isIPv6: Whether to listen on ::1 instead of 127.0.0.1.
    ///   - networkAddress: An IP address of this machine, such as 192.168.1.20, to listen on instead of the loopback
    ///     address, or `0.0.0.0` or `::` for all of them. Every device on that network can then send requests.
    ///   - services: The services whose events are decoded.
    ///   - retention: The amount of data to keep.
    ///   - script: The rules for connections and requests.
    /// - Throws: ``CollectorError`` if the machine does not have the address or the port is in use.
    public init(
        port: UInt16 = 0,
        isIPv6: Bool = false,
        networkAddress: String? = nil,
        services: [CollectorService] = [.firebase, .awesomeTracking],
        retention: Retention = .everything,
        script: CollectorScript = .accept
    ) throws(CollectorError) {
        record = CollectorRecord(services: services, retention: retention)
        self.networkAddress = networkAddress
        server = try CollectorServer(
            port: port,
            isIPv6: isIPv6,
            networkAddress: networkAddress,
            script: script,
            record: record,
            maximumBody: LoopbackCollector.maximumBodyBytes
        )
        let host = networkAddress ?? (isIPv6 ? "::1" : "127.0.0.1")
        url = Endpoint(httpHost: host.contains(":") ? "[\(host)]" : host, port: server.port)
    }

    deinit {
        close()
    }

    /// The port of the collector.
    public var port: UInt16 { server.port }

    /// Replaces the script for all requests that arrive later.
    ///
    /// - Parameter script: The new script.
    public func setScript(_ script: CollectorScript) {
        server.setScript(script)
    }

    /// Stops listening, closes all connections and resumes all waiting tasks.
    ///
    /// Recorded data stays available.
    public func close() {
        server.close()
        record.close()
    }

    /// The complete requests, in the order of arrival.
    ///
    /// Empty if only ids are kept.
    public var requests: [CollectedRequest] { record.requests }

    /// The current counts.
    public var tally: CollectorTally { record.tally }

    /// Waits for a number of complete requests.
    ///
    /// - Parameter count: The number of requests to wait for.
    /// - Returns: All complete requests. There are fewer if the collector was closed or the task was cancelled.
    public func requests(count: Int) async -> [CollectedRequest] {
        _ = await record.tally { $0.requests >= count }
        return record.requests
    }

    /// Waits until the counts satisfy a condition.
    ///
    /// Closing the collector or cancelling the task ends the wait.
    ///
    /// - Parameter condition: The condition to wait for.
    /// - Returns: The counts at the end of the wait.
    @discardableResult
    public func tally(when condition: @escaping @Sendable (CollectorTally) -> Bool) async -> CollectorTally {
        await record.tally(when: condition)
    }

    /// Returns the stored events of a service, in the order of arrival.
    ///
    /// An event whose id occurs several times is returned once. If only ids are kept, the result is empty.
    ///
    /// - Parameter service: The service.
    /// - Returns: The events.
    public func events(of service: CollectorService) -> [CollectedEvent] {
        var ids = IDSet()
        return record.storedRequests
            .filter { record.service(of: $0.head)?.name == service.name }
            .flatMap(service.events(in:))
            .filter { $0.id.isEmpty || ids.insert($0.id) }
    }

    /// Returns whether a service has a stored event with an id.
    ///
    /// - Parameters:
    ///   - id: The id of an event.
    ///   - service: The service.
    /// - Returns: Whether the event is stored.
    public func hasStored(_ id: String, of service: CollectorService) -> Bool {
        record.contains(id, of: service)
    }
}
