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
#endif
