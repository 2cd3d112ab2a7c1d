/// A client that sends a request and returns the response.
///
/// An implementation must fulfill these rules:
///
/// - `send` returns or throws no later than one second after the timeout, regardless of the receiver.
/// - Every status is returned as a response, including 401. A redirect is returned as its 3xx response and never
///   followed.
/// - A response whose head is complete is returned, even if its body is too long, compressed or not complete. Its
///   ``HTTPResponse/extent`` names the missing part. At most 4 MiB of a body are kept in memory.
/// - If no byte is sent or received for 30 s, `send` ends as if the timeout had passed.
/// - If the task is cancelled, `send` throws ``TransportError/cancelled``. After that, no further byte is passed to the
///   system. ``CurlTransport`` also discards data not yet sent by the system. Data on the network cannot be recalled,
///   so the receiver may still get a part of the request or a small request as a whole.
///
/// `TransportContract` in `EventDeliveryTesting` checks these rules.
public protocol Transport: Sendable {
    /// Sends a request and waits for the response.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - timeout: The maximum time from the call to the last byte of the response.
    /// - Returns: The response, with any status.
    /// - Throws: ``TransportError`` if no response arrives, or if its head is incomplete.
    func send(_ request: HTTPRequest, timeout: Duration) async throws(TransportError) -> HTTPResponse
}

/// The reason for a request without a response.
public enum TransportError: Error, Equatable, Sendable {
    /// The timeout of the request passed, or no byte was sent or received for 30 s.
    case timedOut
    /// The task was cancelled.
    case cancelled
    /// The host name was not found.
    case hostNotFound
    /// The host refused the connection, because no server listens on the port.
    case connectionRefused
    /// The connection was reset or closed before the head of the response was complete.
    case connectionLost
    /// The TLS handshake failed without a stated cause.
    ///
    /// No byte of the body was sent.
    case handshakeFailed
    /// Another connection error, with the code of libcurl or `URLError`.
    case connectionFailed(code: Int)
    /// The receiver's certificate is not trusted, or the handshake was rejected for a stated cause.
    ///
    /// No byte of the body was sent, unless the receiver rejects the client's certificate: with TLS 1.3 it does so after
    /// the handshake.
    case untrusted
    /// The file of certificate authorities is missing, empty or damaged.
    case unreadableAuthorities
    /// The client's certificate or key is missing, damaged, or does not match the other.
    case unusableCertificate
    /// The configured proxy was not reached, or did not open a connection to the receiver.
    ///
    /// The proxy is its host and port. The status is that of its response, if there is one.
    case proxyFailed(proxy: String, status: Int?)
    /// The receiver's certificate is for another host.
    ///
    /// No byte of the body was sent.
    case hostMismatch
    /// The response is not valid HTTP, or its head exceeds the size limit.
    case invalidResponse
}

extension TransportError: CustomStringConvertible {
    /// The reason code, such as `connection refused`.
    ///
    /// Stored failures, diagnostics and reports contain it.
    public var description: String {
        switch self {
        case .timedOut: "timed out"
        case .cancelled: "cancelled"
        case .hostNotFound: "host not found"
        case .connectionRefused: "connection refused"
        case .connectionLost: "connection lost"
        case .handshakeFailed: "TLS handshake failed"
        case .connectionFailed(let code): "connection failed: \(TransportError.meaning(of: code))"
        case .untrusted: "certificate not trusted"
        case .hostMismatch: "certificate for another host"
        case .unreadableAuthorities: "CA file not readable"
        case .unusableCertificate: "client certificate not usable"
        case .proxyFailed(let proxy, let status?): "proxy \(proxy) responded with status \(status)"
        case .proxyFailed(let proxy, nil): "proxy \(proxy) did not respond"
        case .invalidResponse: "invalid response"
        }
    }
}

/// A response of a receiver.
public struct HTTPResponse: Sendable, Equatable {
    /// The status code.
    public var status: Int
    /// The header fields, with names in lower case.
    public var headers: [String: String]
    /// The body, or the part of it described by ``extent``.
    public var body: [UInt8]
    /// The part of the receiver's body in ``body``.
    public var extent: Extent

    /// The part of a receiver's body in a response.
    public enum Extent: Sendable, Hashable {
        /// The whole body.
        case whole
        /// The first 4 MiB of a longer body, or nothing of a body whose compression the client does not read.
        case limited
        /// The bytes that arrived before the connection or its time ended.
        case interrupted
    }

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The header fields. Names are converted to lower case.
    ///   - body: The body.
    ///   - extent: The part of the receiver's body in `body`.
    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = [], extent: Extent = .whole) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.lowercased(), $1) }) { first, _ in first }
        self.body = body
        self.extent = extent
    }
}

/// The limits of responses, for all HTTP clients.
enum ResponseLimits {
    /// The maximum size of a body, in bytes.
    ///
    /// The rest is discarded. The specification of OTLP recommends this value.
    static let maximumBody = 4 * 1024 * 1024
    /// The maximum size of a head, in bytes.
    ///
    /// The status line, header fields and trailer fields count.
    static let maximumHead = 64 * 1024
    /// The maximum number of interim responses before the final one.
    static let maximumInterims = 16
    /// The maximum time without a byte in either direction, in seconds.
    static let idleSeconds = 30
    /// Returns the maximum number of requests in flight to one receiver, for a process that may open a number of files.
    ///
    /// The engine limits the requests of each lane. A low limit here would let lanes that hang delay the others.
    static func transfers(files: Int) -> Int { max(64, files / 4) }
}

extension HTTPResponse {
    /// Whether the declared length is missing or a single number.
    ///
    /// Otherwise the end of the body is ambiguous.
    var hasReadableLength: Bool {
        guard let lengths = headers["content-length"]?.split(separator: ",") else { return true }
        let numbers = lengths.map { Int($0.drop { $0 == " " }) }
        return !numbers.isEmpty && numbers.allSatisfy { $0 != nil && $0 == numbers.first }
    }
}
