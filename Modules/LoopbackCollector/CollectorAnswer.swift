/// What a collector does once a request has arrived whole: answers, or misbehaves as ordinary servers cannot.
///
/// The request has been recorded before any of it happens.
public indirect enum CollectorAnswer: Sendable {
    /// Answers, and keeps the connection for the next request.
    case respond(CollectorResponse)
    /// Answers, then ends the connection without having announced it.
    case respondAndClose(CollectorResponse)
    /// Ends the connection without an answer.
    case close
    /// Resets the connection without an answer.
    case reset
    /// Keeps the connection open and never says anything.
    case neverAnswer
    /// Writes these bytes and ends the connection: garbage, an answer of HTTP/0.9, whatever a table needs.
    case bytes([UInt8])
    /// Writes these bytes before the next answer; without one, before it reads the next request.
    case raw([UInt8], then: CollectorAnswer?)
    /// Writes these bytes, then others without end: a chunk's extension, trailers, whatever never becomes an answer.
    case flood([UInt8], block: [UInt8])
    /// Writes the head and resets the connection before the body.
    case resetAfterHead(CollectorResponse)
    /// Declares the whole body, writes only this many bytes of it, and ends the connection.
    case truncate(CollectorResponse, bodyBytes: Int)
    /// Writes the answer one byte at a time.
    case trickle(CollectorResponse, every: Duration)
    /// Writes the head and a body without end.
    case endlessBody(CollectorResponse)
    /// Writes a status line and header lines without end.
    case endlessHead(status: Int)
    /// Writes interim answers of this status: so many before the next answer, without end when there is none.
    case interim(status: Int, count: Int, then: CollectorAnswer?)
    /// Waits before the next answer.
    case delay(Duration, then: CollectorAnswer)
    /// Waits for a gate before the next answer.
    case hold(CollectorHold, then: CollectorAnswer)
    /// Writes the head, then what a closure returns each time that it is asked, until it returns nothing.
    ///
    /// The closure is asked again after each interval; what is empty writes nothing. The connection ends with it.
    case stream(CollectorResponse, every: Duration, next: @Sendable () -> [UInt8]?)
    /// Gives the next answer without recording the request: one for a page, and not for a receiver.
    case unrecorded(CollectorAnswer)

    /// Status 200 with an empty body.
    public static let accept = CollectorAnswer.status(200)

    /// A status with an empty body.
    public static func status(_ status: Int) -> CollectorAnswer { .respond(CollectorResponse(status)) }

    /// Whether a receiver that answers like this has taken the request's events.
    var isStoring: Bool {
        switch self {
        case .respond(let response), .respondAndClose(let response), .resetAfterHead(let response),
            .truncate(let response, _), .trickle(let response, _), .endlessBody(let response),
            .stream(let response, _, _):
            response.status < 300
        case .endlessHead(let status): status < 300
        case .close, .reset, .neverAnswer, .bytes, .flood: true
        case .interim(_, _, let next), .raw(_, let next): next?.isStoring ?? true
        case .delay(_, let next), .hold(_, let next): next.isStoring
        case .unrecorded: false
        }
    }

    /// Whether the request that is answered like this is recorded.
    var isRecorded: Bool { if case .unrecorded = self { false } else { true } }
}
