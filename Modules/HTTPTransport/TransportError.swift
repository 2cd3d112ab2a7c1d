/// Why no answer came that could be judged.
public enum TransportError: Error, Hashable, Sendable {
    /// The request's total deadline passed.
    case timedOut
    /// The sending task was cancelled.
    case cancelled
    /// No connection: refused, unreachable, unknown host, reset, closed early. The code is the system's own.
    case connectionFailed(code: Int)
    /// The receiver's certificate was refused, or the handshake for a stated cause; no byte of the body was sent.
    case untrusted
    /// The answer was no HTTP, or larger than an answer may be.
    case invalidResponse
}
