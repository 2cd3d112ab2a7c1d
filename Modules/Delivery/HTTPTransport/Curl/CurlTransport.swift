#if !canImport(Darwin)
import CCurl
import FoundationEssentials
import Locks

/// The transport over libcurl, for platforms other than Apple's.
///
/// ```swift
/// let transport = CurlTransport(CurlConfiguration(authorities: authority.file))
/// ```
///
/// Each receiver (scheme, host and port) has a thread with an event loop. The thread starts with the receiver's first
/// request and ends after two minutes without requests. A receiver that floods its loop therefore delays no other.
/// Connections are kept between requests for at most a minute, so a changed address of the receiver's name takes effect.
/// After a status of 500 to 599 or 421, the next request uses a new connection, at most once in ten seconds. HTTP/1.1
/// and TLS 1.2 or later are supported.
/// Cookies, caches, redirects, system credentials and proxies of the environment are not used.
///
/// If a kept connection is being closed by its receiver, libcurl sends the request again, up to five times. The same
/// request may therefore arrive more than once. Closing a connection discards data not yet sent by the system.
public final class CurlTransport: Transport {
    /// How long a loop may take to end a late or cancelled request, before ``CurlWatch`` completes it.
    private static let grace = Duration.milliseconds(400)

    private let configuration: CurlConfiguration
    private let loops = Mutex<[String: CurlLoop]>([:])
    private let ids = Atomic<UInt>(0)
    private let watch = CurlWatch()

    /// Creates a transport that trusts the system's certificate authorities and uses no proxy.
    public convenience init() {
        self.init(CurlConfiguration())
    }

    /// Creates a transport with trust and proxy settings.
    ///
    /// - Parameter configuration: The certificate authorities, pinned keys and proxy.
    public init(_ configuration: CurlConfiguration) {
        self.configuration = configuration
    }

    deinit {
        for loop in loops.withLock({ $0.values }) { loop.end() }
    }

    public func send(_ request: HTTPRequest, timeout: Duration) async throws(TransportError) -> HTTPResponse {
        guard !Task.isCancelled else { throw .cancelled }
        guard timeout > .zero else { throw .timedOut }
        let end = ContinuousClock.now + min(timeout, .seconds(86_400))
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
        watch.remove(exchange)
        return try result.get()
    }

    private func start(_ exchange: CurlExchange) {
        guard isTaken(exchange) else {
            return exchange.complete(.failure(.connectionFailed(code: Int(CURLE_FAILED_INIT.rawValue))))
        }
        watch.insist(on: .timedOut, of: exchange, at: exchange.deadline + CurlTransport.grace)
    }

    /// Passes the exchange to its receiver's loop.
    ///
    /// If the loop does not exist or has ended, starts a new one.
    ///
    /// - Returns: Whether a loop has accepted the exchange.
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
#endif
