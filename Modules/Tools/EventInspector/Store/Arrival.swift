import LoopbackCollector

/// A request with events, which is kept while any of its events is shown.
final class Arrival: Sendable {
    /// The request line and the header fields.
    let head: CollectedHead
    /// The body, without its gzip encoding.
    let body: [UInt8]
    /// The status of the response, or `nil` if there was no response.
    let status: Int?
    /// The start of the response's body.
    let response: String
    /// The time of arrival, in microseconds since 1970.
    let time: Int64

    /// Creates an arrival from a request and its response.
    init(_ request: CollectedRequest, status: Int?, response: String, time: Int64) {
        head = request.head
        body = request.body
        self.status = status
        self.response = response
        self.time = time
    }

    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }
}
