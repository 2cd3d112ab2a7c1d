#if canImport(Darwin)
import Foundation
import Locks

/// The transport over `URLSession`, for Apple platforms.
///
/// One session sends all requests and lives as long as the transport. It has no cache, cookies or stored credentials.
/// The system decides which certificates are trusted. Connections are kept between requests. If a kept connection is
/// being closed by its receiver, the request is sent once more. Connections live for at most a minute, and after a status
/// of 500 to 599 or 421, the next request uses a new one, at most once in ten seconds.
public final class URLSessionTransport: Transport {
    private let delegate = HTTPExchangeDelegate()
    private let session: URLSession
    private let queues = URLSessionExchange.Queues()
    private let renewal = Mutex(ConnectionRenewal())

    /// Creates a transport with a new session.
    ///
    /// If a network may not be used, events stay in the outbox.
    ///
    /// - Parameters:
    ///   - usesConstrainedNetwork: Whether to send in Low Data Mode.
    ///   - usesExpensiveNetwork: Whether to send over a cellular network or a personal hotspot.
    public init(usesConstrainedNetwork: Bool = true, usesExpensiveNetwork: Bool = true) {
        let configuration = URLSessionConfiguration.delivery
        configuration.allowsConstrainedNetworkAccess = usesConstrainedNetwork
        configuration.allowsExpensiveNetworkAccess = usesExpensiveNetwork
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit {
        session.invalidateAndCancel()
    }

    public func send(_ request: HTTPRequest, timeout: Duration) async throws(TransportError) -> HTTPResponse {
        guard !Task.isCancelled else { throw .cancelled }
        guard timeout > .zero else { throw .timedOut }
        guard let request = WireRequest(request) else {
            throw .connectionFailed(code: URLError.Code.badURL.rawValue)
        }
        let urlRequest = URLRequest(request, timeout: timeout)
        renewConnections(after: nil)
        let start = ContinuousClock.now
        let first = exchange(of: urlRequest)
        var result = await first.run(timeout: timeout)
        if first.metStaleConnection {
            result = await exchange(of: urlRequest).run(timeout: timeout - (.now - start))
        }
        if case .success(let response) = result { renewConnections(after: response.status) }
        return try result.get()
    }

    /// Lets later requests use new connections, if that is due.
    private func renewConnections(after status: Int?) {
        guard renewal.withLock({ $0.isDue(at: .now, after: status) }) else { return }
        session.flush {}
    }

    private func exchange(of request: URLRequest) -> URLSessionExchange {
        // The exchange keeps this object, because an invalidated session makes no tasks.
        URLSessionExchange(on: queues) { [self] exchange in
            let task = session.dataTask(with: request)
            delegate.register(exchange, for: task)
            return task
        }
    }
}

extension URLSessionConfiguration {
    /// A configuration that stores nothing between requests, does not wait for connectivity, and leaves time limits to
    /// the timeout of each request.
    fileprivate static var delivery: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpMaximumConnectionsPerHost = ResponseLimits.transfers(files: sysconf(_SC_OPEN_MAX))
        configuration.waitsForConnectivity = false
        configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
        return configuration
    }
}

extension TransportError {
    /// Creates an error from an error of `URLSession`.
    ///
    /// A handshake that fails without a message about a certificate (−1200) is retried too. A captive portal causes
    /// this error for every host until the user has signed in.
    ///
    /// - Parameter error: The error of the session, if any.
    init(_ error: (any Error)?) {
        let code = (error as? URLError)?.code ?? .unknown
        switch code {
        case .timedOut: self = .timedOut
        case .cannotFindHost, .dnsLookupFailed: self = .hostNotFound
        case .cannotConnectToHost: self = .connectionRefused
        case .networkConnectionLost: self = .connectionLost
        case .secureConnectionFailed: self = .handshakeFailed
        case .cancelled: self = .cancelled
        case .serverCertificateHasBadDate, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid, .clientCertificateRejected, .clientCertificateRequired:
            self = .untrusted
        case .unsupportedURL, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData,
            .dataLengthExceedsMaximum, .httpTooManyRedirects:
            self = .invalidResponse
        default: self = .connectionFailed(code: code.rawValue)
        }
    }

    /// Returns the localized meaning of a `URLError` code, with the code.
    static func meaning(of code: Int) -> String {
        let known: URLError.Code? = URLError.Code(rawValue: code)
        return "\(known.map { URLError($0).localizedDescription } ?? "unknown") (URLError \(code))"
    }
}

extension URLRequest {
    /// Creates a session's request.
    ///
    /// A session's time-out is the time without a byte in either direction, in whole seconds. It is never shorter than
    /// the timeout or the idle limit, whichever is less.
    ///
    /// - Parameters:
    ///   - request: The request to convert.
    ///   - timeout: The maximum time of the request.
    init(_ request: WireRequest, timeout: Duration) {
        self.init(url: request.url)
        httpMethod = request.method
        timeoutInterval = Double(
            min(max(min(timeout, .seconds(86_400)).components.seconds, 0) + 2, Int64(ResponseLimits.idleSeconds))
        )
        cachePolicy = .reloadIgnoringLocalCacheData
        httpShouldHandleCookies = false
        for (name, value) in request.headers { addValue(value, forHTTPHeaderField: name) }
        httpBody = request.body.map { Data($0) }
    }
}
#endif
