import LoopbackCollector

/// A request that brought events, kept as long as one of its events is shown.
final class Arrival: Sendable {
    /// The request line and the header fields.
    let head: CollectedHead
    /// The body, unpacked.
    let body: [UInt8]
    /// What it was answered; `nil` for no answer.
    let status: Int?
    /// The start of the answer's body.
    let answer: String
    /// When it came, in microseconds since 1970.
    let time: Int64

    /// Keeps a request.
    init(_ request: CollectedRequest, status: Int?, answer: String, time: Int64) {
        head = request.head
        body = request.body
        self.status = status
        self.answer = answer
        self.time = time
    }

    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }
}
