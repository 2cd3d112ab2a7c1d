#if canImport(Darwin) || URLSESSION_ON_LINUX
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The transport over `URLSession`, on Apple platforms.
///
/// One session serves all requests and lives as long as the transport; it has no cache, cookies or stored credentials.
/// The system decides which certificates are trusted. Connections are kept between requests; a request that meets one
/// which its receiver is closing is sent once more.
///
/// On Linux it is compiled for comparison only, with `-Xswiftc -DURLSESSION_ON_LINUX`. There (Swift 6.3.1) a head that
/// ends after its status line, a trailer after a chunked body, and a declared length of 2⁶³−1 end the process. A
/// request that waits for its answer keeps a core busy.
public final class URLSessionTransport: Transport {
    private let delegate = HTTPExchangeDelegate()
    private let session: URLSession
    private let queues = HTTPExchange.Queues()

    /// Creates a transport with a session of its own; what it may not send now waits in the outbox.
    ///
    /// - Parameters:
    ///   - usesConstrainedNetwork: Whether it sends where the user has asked for little data.
    ///   - usesExpensiveNetwork: Whether it sends over a cellular network or a personal hotspot.
    public init(usesConstrainedNetwork: Bool = true, usesExpensiveNetwork: Bool = true) {
        let configuration = URLSessionConfiguration.delivery
        #if !canImport(FoundationNetworking)
        configuration.allowsConstrainedNetworkAccess = usesConstrainedNetwork
        configuration.allowsExpensiveNetworkAccess = usesExpensiveNetwork
        #endif
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit {
        session.invalidateAndCancel()
    }

    public func send(_ request: HTTPRequest, deadline: Duration) async throws(TransportError) -> HTTPResponse {
        guard !Task.isCancelled else { throw .cancelled }
        guard deadline > .zero else { throw .timedOut }
        guard let request = WireRequest(request) else {
            throw .connectionFailed(code: URLError.Code.badURL.rawValue)
        }
        let urlRequest = URLRequest(request, deadline: deadline)
        let start = ContinuousClock.now
        let first = exchange(of: urlRequest)
        let result = await first.run(deadline: deadline)
        guard first.metStaleConnection else { return try result.get() }
        return try await exchange(of: urlRequest).run(deadline: deadline - (.now - start)).get()
    }

    private func exchange(of request: URLRequest) -> HTTPExchange {
        HTTPExchange(on: queues) { [session, delegate] exchange in
            let task = session.dataTask(with: request)
            delegate.register(exchange, for: task)
            return task
        }
    }
}

extension URLSessionConfiguration {
    /// What delivery needs: nothing kept between requests, nothing waited for, no limit that the deadline does not set.
    fileprivate static var delivery: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpMaximumConnectionsPerHost = 8
        #if !canImport(FoundationNetworking)
        configuration.waitsForConnectivity = false
        configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
        #endif
        return configuration
    }
}

extension TransportError {
    /// Translates what a session reports.
    ///
    /// FoundationNetworking has one code, `unknown`, for failures of TLS, cut bodies and heads that are no HTTP. A
    /// certificate or a protocol that was refused is told from them by libcurl's own words; what these do not say is a
    /// failed connection, which is tried again. No body is sent in either case. So is a handshake that broke without a
    /// word about a certificate (−1200): a captive portal does that to every host until the user has signed in.
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
        case .unknown where TransportError.isRefusalOfTrust(error?.localizedDescription ?? ""): self = .untrusted
        default: self = .connectionFailed(code: code.rawValue)
        }
    }

    #if canImport(Darwin)
    /// The meaning of a code of `URLError`, in the user's language, with the code.
    static func meaning(of code: Int) -> String {
        let known: URLError.Code? = URLError.Code(rawValue: code)
        return "\(known.map { URLError($0).localizedDescription } ?? "unknown") (URLError \(code))"
    }
    #endif

    private static func isRefusalOfTrust(_ text: String) -> Bool {
        ["SSL certificate problem", "SSL: no alternative certificate", "SSL routines"].contains { text.contains($0) }
    }
}

extension URLRequest {
    /// Writes a request as the session takes it.
    ///
    /// A session's own time-out counts whole seconds (on Linux, and there only if it is set after the creation). It
    /// stands behind the deadline, for a request that the deadline's cancelling does not reach.
    init(_ request: WireRequest, deadline: Duration) {
        self.init(url: request.url)
        httpMethod = request.method
        timeoutInterval = Double(min(max(deadline.components.seconds, 0), 86_400) + 2)
        cachePolicy = .reloadIgnoringLocalCacheData
        httpShouldHandleCookies = false
        for (name, value) in request.headers { addValue(value, forHTTPHeaderField: name) }
        httpBody = request.body.map { Data($0) }
    }
}
#endif
