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

    private let server: CollectorServer
    private let host: String
    private let record: CollectorRecord

    /// Starts a collector on a port, any free one by default, of 127.0.0.1 or of ::1.
    ///
    /// A request belongs to the first of the services that matches it. Throws where the machine has no such address.
    public init(
        port: UInt16 = 0,
        isIPv6: Bool = false,
        services: [CollectorService] = [.firebase, .awesomeTracking],
        keeps keeping: Keeping = .everything,
        script: CollectorScript = .accept
    ) throws(CollectorError) {
        record = CollectorRecord(services: services, keeps: keeping)
        host = isIPv6 ? "[::1]" : "127.0.0.1"
        server = try CollectorServer(
            port: port,
            isIPv6: isIPv6,
            script: script,
            record: record,
            maximumBody: LoopbackCollector.maximumBodyBytes
        )
    }

    deinit {
        close()
    }

    /// The port that it listens on.
    public var port: UInt16 { server.port }

    /// Its address without a path, such as `http://127.0.0.1:49152`.
    public var url: String { "http://\(host):\(port)" }

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
