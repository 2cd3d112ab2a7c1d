import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The transport over `URLSession`, on Apple platforms and on Linux.
///
/// One session serves all requests and lives as long as the transport; it has no cache, cookies or stored credentials.
/// The system decides which certificates are trusted. Connections are kept between requests; a request that meets one
/// which its receiver is closing is sent once more.
///
/// On Linux (FoundationNetworking of Swift 6.3.1) three answers end the process inside of `URLSession`, which no caller
/// can prevent: a head that breaks off after its status line, a trailer after a chunked body, and a declared length of
/// 2⁶³−1. All sessions share one queue there: while a receiver sends without end and at full speed, other requests are
/// late, and the body of a redirect without end is read on after its request was given up at the deadline. With
/// libcurl 7.88 each request leaks the parts of its URL, some 200 bytes, whoever makes it.
public final class URLSessionTransport: Transport {
    private let delegate = HTTPExchangeDelegate()
    private let session: URLSession
    private let queues = HTTPExchange.Queues()

    /// Creates a transport with a session of its own.
    public init() {
        session = URLSession(configuration: .delivery, delegate: delegate, delegateQueue: nil)
    }

    deinit {
        session.invalidateAndCancel()
    }

    public func send(_ request: HTTPRequest, deadline: Duration) async throws(TransportError) -> HTTPResponse {
        guard !Task.isCancelled else { throw .cancelled }
        guard deadline > .zero else { throw .timedOut }
        guard let urlRequest = URLRequest(request, deadline: deadline) else {
            throw .connectionFailed(code: URLError.Code.badURL.rawValue)
        }
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
