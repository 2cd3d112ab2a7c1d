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
