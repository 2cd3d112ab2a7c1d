/// Carries one request to its receiver and brings back the answer.
///
/// Contract: `send` returns or throws within the deadline plus one second, whatever the receiver does. A redirect is
/// returned as the 3xx answer that it is and never followed. Any status is an answer, 401 included. A body beyond
/// 64 KiB is cut or refused. Cancelling the task ends the request and throws ``TransportError/cancelled``; when it has
/// thrown, no further byte is handed to the system. ``CurlTransport`` also drops what the system has not sent yet. What
/// is on the wire or with the receiver cannot be called back: it may read that much of the request, or all of a small
/// one. Checked by `TransportContract` in `EventDeliveryTesting`.
public protocol Transport: Sendable {
    /// Sends a request; the deadline covers everything from the call to the last byte of the answer.
    func send(_ request: HTTPRequest, deadline: Duration) async throws(TransportError) -> HTTPResponse
}

/// A reason for which a request has no response.
public enum TransportError: Error, Hashable, Sendable {
    /// The request's total deadline passed.
    case timedOut
    /// The sending task was cancelled.
    case cancelled
    /// The name of the host was not found.
    case hostNotFound
    /// The host refused the connection: nothing accepts connections at the port.
    case connectionRefused
    /// The connection was reset or closed before the whole response had arrived.
    case connectionLost
    /// The TLS handshake failed without a stated cause; no byte of the body was sent.
    case handshakeFailed
    /// Another failure of the connection, with the code of libcurl or of `URLError`.
    case connectionFailed(code: Int)
    /// The receiver's certificate is not trusted, or the handshake was refused for a stated cause; no byte of the body
    /// was sent.
    case untrusted
    /// The receiver's certificate is for another host; no byte of the body was sent.
    case hostMismatch
    /// The response was not HTTP, or larger than a response may be.
    case invalidResponse
}

extension TransportError: CustomStringConvertible {
    /// The reason code, such as `connection refused`: stored failures, diagnostics and reports show it.
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
        case .invalidResponse: "invalid response"
        }
    }
}

/// A receiver's answer.
public struct HTTPResponse: Sendable, Hashable {
    /// The status code.
    public var status: Int
    /// The header fields, names in lower case.
    public var headers: [String: String]
    /// The body, at most 64 KiB of it.
    public var body: [UInt8]

    /// Creates an answer; header names are taken in any case.
    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.lowercased(), $1) }) { first, _ in first }
        self.body = body
    }
}

/// How much of an answer is taken in, whichever client reads it.
enum AnswerLimits {
    /// The largest body that is kept, in bytes.
    static let maximumBody = 64 * 1024
    /// The largest head, in bytes: the status line, the fields, and those of a trailer.
    static let maximumHead = 64 * 1024
    /// The most interim answers before the answer.
    static let maximumInterims = 16
}

extension HTTPResponse {
    /// Whether a declared length is one number; one that is none, or two that differ, leave open where the body ends.
    var hasReadableLength: Bool {
        guard let lengths = headers["content-length"]?.split(separator: ",") else { return true }
        let numbers = Set(lengths.map { Int($0.drop { $0 == " " }) })
        return numbers.count == 1 && !numbers.contains(nil)
    }
}

/// The transport over the platform's own HTTP client: `URLSession` on Apple platforms, libcurl elsewhere.
#if canImport(Darwin)
public typealias PlatformTransport = URLSessionTransport
#else
public typealias PlatformTransport = CurlTransport
#endif
