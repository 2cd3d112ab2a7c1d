#if !canImport(Darwin)
import CCurl
public import FoundationEssentials
import Locks

/// The transport over libcurl, for the platforms whose own HTTP client it is.
///
/// Each receiver (scheme, host and port) has a thread with a loop of its own, from its first request until it has had
/// none for two minutes. So a receiver that floods its loop delays no other. Connections are kept between requests, at
/// most eight to a receiver. There are no cookies, caches, redirects, credentials of the system or proxies of the
/// environment; HTTP/1.1 and TLS 1.2 or later.
///
/// A request that meets a kept connection which its receiver is closing is sent again by libcurl, up to five times, so
/// the same request may arrive more than once. Closing a connection drops what the system has not sent yet.
public final class CurlTransport: Transport {
    /// How long a loop may take to end a request, before others end it.
    private static let grace = Duration.milliseconds(400)

    private let configuration: CurlConfiguration
    private let loops = Mutex<[String: CurlLoop]>([:])
    private let ids = Atomic<UInt>(0)
    private let watch = CurlWatch()

    /// Creates a transport that trusts the system's authorities and uses no proxy.
    public convenience init() {
        self.init(CurlConfiguration())
    }

    /// Creates a transport with its own authorities, pins or proxy.
    public init(_ configuration: CurlConfiguration) {
        self.configuration = configuration
    }

    deinit {
        for loop in loops.withLock({ $0.values }) { loop.end() }
    }

    public func send(_ request: HTTPRequest, deadline: Duration) async throws(TransportError) -> HTTPResponse {
        guard !Task.isCancelled else { throw .cancelled }
        guard deadline > .zero else { throw .timedOut }
        let end = ContinuousClock.now + min(deadline, .seconds(86_400))
        guard let request = WireRequest(request) else {
            throw .connectionFailed(code: Int(CURLE_URL_MALFORMAT.rawValue))
        }
        let exchange = CurlExchange(id: ids.wrappingAdd(1, ordering: .relaxed).newValue, request, deadline: end)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { sender in
                exchange.begin(sender)
                start(exchange)
                if Task.isCancelled { cancel(exchange) }
            }
        } onCancel: {
            cancel(exchange)
        }
        watch.forget(exchange)
        return try result.get()
    }

    private func start(_ exchange: CurlExchange) {
        guard isTaken(exchange) else {
            return exchange.answer(.failure(.connectionFailed(code: Int(CURLE_FAILED_INIT.rawValue))))
        }
        watch.insist(on: .timedOut, of: exchange, at: exchange.deadline + CurlTransport.grace)
    }

    /// Gives the exchange to its receiver's loop, a new one where there is none or it has ended.
    private func isTaken(_ exchange: CurlExchange) -> Bool {
        let url = exchange.request.url
        let receiver = "\(url.scheme ?? "")://\(url.host() ?? ""):\(url.port ?? 0)"
        return loops.withLock { loops in
            if let loop = loops[receiver], loop.start(exchange) { return true }
            loops[receiver] = CurlLoop.started(configuration)
            return loops[receiver]?.start(exchange) ?? false
        }
    }

    private func cancel(_ exchange: CurlExchange) {
        guard let loop = exchange.loop else { return }
        loop.cancel(exchange)
        watch.insist(on: .cancelled, of: exchange, at: .now + CurlTransport.grace)
    }
}

/// Whom a transport over libcurl trusts, and by which way it goes.
public struct CurlConfiguration: Sendable, Hashable {
    /// A PEM file of the authorities that are trusted instead of the system's; `nil` for the system's.
    ///
    /// A file that cannot be read makes every receiver untrusted.
    public var authorities: URL?
    /// The public keys of which a receiver must have one; all are accepted when there is none.
    ///
    /// A pin adds to the check of the certificate and replaces no part of it. Name the next key before the receiver
    /// changes to it: the old and the new one are accepted until the old one is taken out.
    public var pinnedKeys: [PublicKeyPin]
    /// The proxy that all requests go through; `nil` for none.
    ///
    /// Proxies that the environment names are ignored.
    public var proxy: URL?

    /// Creates a configuration.
    public init(authorities: URL? = nil, pinnedKeys: [PublicKeyPin] = [], proxy: URL? = nil) {
        self.authorities = authorities
        self.pinnedKeys = pinnedKeys
        self.proxy = proxy
    }
}
#endif
