#if !canImport(Darwin)
import CCurl
public import FoundationEssentials
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

/// Trust and proxy settings for ``CurlTransport``.
public struct CurlConfiguration: Sendable, Hashable {
    /// A PEM file of certificate authorities that replace the system's, or `nil` to use the system's.
    ///
    /// The file may change while the transport exists: it is read again within a minute, and at once if a receiver is
    /// untrusted. If it cannot be read, no connection is opened.
    public var authorities: URL?
    /// The public keys of which a receiver must have one.
    ///
    /// If the array is empty, all keys are accepted.
    ///
    /// A pin is checked in addition to the certificate. Add the next key before the receiver changes to it: both keys
    /// are accepted until the old one is removed.
    public var pinnedKeys: [PublicKeyPin]
    /// The proxy for all requests, or `nil` to use none.
    ///
    /// Proxies of the environment are ignored.
    public var proxy: URL?
    /// The receivers that are reached without the proxy, in the form of `NO_PROXY`.
    ///
    /// Host names, domains, addresses and CIDR networks are separated by commas or spaces, and `*` is every receiver.
    public var proxyExceptions = ""
    /// A PEM file with the client's certificate and its chain, or `nil` to send none.
    ///
    /// It is read for each new connection, so within a minute after a change.
    public var clientCertificate: URL?
    /// A PEM file with the private key of ``clientCertificate``, without a passphrase.
    ///
    /// If it is `nil`, the key is in the file of the certificate.
    public var clientKey: URL?
    /// The maximum time without a byte in either direction, in seconds.
    var idleSeconds = ResponseLimits.idleSeconds

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - authorities: A PEM file of certificate authorities that replace the system's.
    ///   - pinnedKeys: The public keys of which a receiver must have one.
    ///   - proxy: The proxy for all requests.
    public init(authorities: URL? = nil, pinnedKeys: [PublicKeyPin] = [], proxy: URL? = nil) {
        self.authorities = authorities
        self.pinnedKeys = pinnedKeys
        self.proxy = proxy
    }
}
#endif
