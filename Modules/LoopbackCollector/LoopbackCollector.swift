public import HTTPTransport

/// A scripted HTTP/1.1 server on the loopback address for tests and demonstrations; it keeps what it received.
///
/// It misbehaves on request in ways that no ordinary server can, and is no receiver for production. Each connection
/// has a thread; heads are bound to 64 KiB, bodies to ``maximumBodyBytes``, and nothing that a client sends stops it.
/// It runs from its creation until ``close()`` or until nobody refers to it any more.
public final class LoopbackCollector: Sendable {
    /// What is kept of the requests.
    public enum Keeping: Sendable, Hashable {
        /// Every request whole.
        case everything
        /// The counts and the set of event ids, some tens of bytes an event.
        case idsOnly
        /// The counts and the latest ids of each service, so many or up to twice as many, for runs without end.
        ///
        /// An event that comes again after its id has been forgotten counts as another one.
        case latestIDs(Int)
    }

    /// The largest body that is taken, as it comes and unpacked; a larger one is answered with 413 or 400.
    public static let maximumBodyBytes = 64 * 1024 * 1024

    /// The address on the local network that it listens on; `nil` for the loopback address.
    public let networkAddress: String?
    private let server: CollectorServer
    private let record: CollectorRecord
    /// Its address without a path, such as `http://127.0.0.1:49152`.
    public let url: Endpoint

    /// Starts a collector on a port of 127.0.0.1, of ::1, or of an address on the local network.
    ///
    /// A request belongs to the first of the services that matches it, and to a catch-all service such as
    /// ``CollectorService/awesomeTracking`` only if none of the others does.
    ///
    /// - Parameters:
    ///   - port: The port; 0 for any free one.
    ///   - isIPv6: Whether to listen on ::1 instead of 127.0.0.1.
    ///   - networkAddress: An IPv4 address of this machine, such as 192.168.1.20, to listen on instead of the loopback
    ///     address. Every device on that network can then send requests.
    ///   - services: How the bodies are read.
    ///   - keeping: How much of the requests is kept.
    ///   - script: What requests are answered.
    /// - Throws: `CollectorError` if the machine does not have the address, or if the port is in use.
    public init(
        port: UInt16 = 0,
        isIPv6: Bool = false,
        networkAddress: String? = nil,
        services: [CollectorService] = [.firebase, .awesomeTracking],
        keeps keeping: Keeping = .everything,
        script: CollectorScript = .accept
    ) throws(CollectorError) {
        record = CollectorRecord(services: services, keeps: keeping)
        self.networkAddress = networkAddress
        server = try CollectorServer(
            port: port,
            isIPv6: isIPv6,
            networkAddress: networkAddress,
            script: script,
            record: record,
            maximumBody: LoopbackCollector.maximumBodyBytes
        )
        url = Endpoint(httpHost: networkAddress ?? (isIPv6 ? "[::1]" : "127.0.0.1"), port: server.port)
    }

    deinit {
        close()
    }

    /// The port that it listens on.
    public var port: UInt16 { server.port }

    /// Changes the script for the requests that arrive from now on.
    public func setScript(_ script: CollectorScript) {
        server.setScript(script)
    }

    /// Stops listening, ends all connections and lets everyone go who waits; what was received can still be asked for.
    public func close() {
        server.close()
        record.close()
    }

    /// The requests so far in the order of arrival; none when only ids are kept.
    public var requests: [CollectedRequest] { record.requests }

    /// The counts so far.
    public var tally: CollectorTally { record.tally }

    /// Waits until so many requests have arrived and answers all that have; fewer when the collector is closed first.
    public func requests(count: Int) async -> [CollectedRequest] {
        _ = await record.tally { $0.requests >= count }
        return record.requests
    }

    /// Waits until the counts satisfy a condition; returns early when the collector is closed or the task cancelled.
    @discardableResult
    public func tally(when condition: @escaping @Sendable (CollectorTally) -> Bool) async -> CollectorTally {
        await record.tally(when: condition)
    }

    /// The stored events of a service in the order of arrival, each id once; none when only ids are kept.
    public func events(of service: CollectorService) -> [CollectedEvent] {
        var ids = IDSet()
        return record.storedRequests
            .filter { record.service(of: $0.head)?.name == service.name }
            .flatMap(service.events(in:))
            .filter { $0.id.isEmpty || ids.insert($0.id) }
    }

    /// Answers whether a stored event of a service has this id.
    public func hasStored(_ id: String, of service: CollectorService) -> Bool {
        record.contains(id, of: service)
    }
}
