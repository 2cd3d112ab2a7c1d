import Locks

/// The reaction of a collector to a complete request: a response, or a fault that ordinary servers cannot produce.
///
/// The request is recorded before the first byte of the response is written.
public indirect enum CollectorAction: Sendable {
    /// Sends a response and keeps the connection open.
    case respond(CollectorResponse)
    /// Sends a response and closes the connection without announcing it.
    case respondAndClose(CollectorResponse)
    /// Closes the connection without a response.
    case close
    /// Resets the connection without a response.
    case reset
    /// Keeps the connection open without a response.
    case neverRespond
    /// Sends bytes and closes the connection.
    ///
    /// The bytes can be any data, such as an HTTP/0.9 response.
    case bytes([UInt8])
    /// Sends bytes before the next action.
    ///
    /// If there is none, sends them before reading the next request.
    case raw([UInt8], then: CollectorAction?)
    /// Sends bytes, followed by a block that repeats forever, such as a chunk extension or trailer fields.
    case flood([UInt8], block: [UInt8])
    /// Sends the head of a response and resets the connection.
    case resetAfterHead(CollectorResponse)
    /// Declares the full length of the body, sends only its first bytes, and closes the connection.
    case truncate(CollectorResponse, bodyBytes: Int)
    /// Sends a response one byte at a time.
    case trickle(CollectorResponse, every: Duration)
    /// Sends the head of a response and an endless body.
    case endlessBody(CollectorResponse)
    /// Sends a status line and endless header fields.
    case endlessHead(status: Int)
    /// Sends interim responses before the next action.
    ///
    /// If there is none, sends them forever.
    case interim(status: Int, count: Int, then: CollectorAction?)
    /// Waits before the next action.
    case delay(Duration, then: CollectorAction)
    /// Waits for a hold to be released before the next action.
    case hold(CollectorHold, then: CollectorAction)
    /// Sends the head of a response, followed by the results of a closure until it returns `nil`.
    ///
    /// The closure is called once per interval. If it returns an empty array, nothing is sent. The connection is closed
    /// at the end.
    case stream(CollectorResponse, every: Duration, next: @Sendable () -> [UInt8]?)
    /// Sends the next action without recording the request.
    ///
    /// Use it to serve pages, not to receive events.
    case unrecorded(CollectorAction)

    /// A response with status 200 and an empty body.
    public static let accept = CollectorAction.status(200)

    /// Returns a response with an empty body.
    ///
    /// - Parameter status: The status code.
    /// - Returns: The action.
    public static func status(_ status: Int) -> CollectorAction { .respond(CollectorResponse(status)) }

    /// Whether a real receiver with this action would have stored the events of the request.
    var isStoring: Bool {
        switch self {
        case .respond(let response), .respondAndClose(let response), .resetAfterHead(let response),
            .truncate(let response, _), .trickle(let response, _), .endlessBody(let response),
            .stream(let response, _, _):
            response.status < 300
        case .endlessHead(let status): status < 300
        case .close, .reset, .neverRespond, .bytes, .flood: true
        case .interim(_, _, let next), .raw(_, let next): next?.isStoring ?? true
        case .delay(_, let next), .hold(_, let next): next.isStoring
        case .unrecorded: false
        }
    }

    /// Whether the request is recorded.
    var isRecorded: Bool { if case .unrecorded = self { false } else { true } }
}

/// A way to read the body of a request, which the script selects after the head.
///
/// If a body is not read completely, its request is not recorded. The bytes of a chunked body are those of its chunks,
/// without their sizes. If a body is shorter than the number of bytes, the fault occurs at its end. A request without a
/// body, or with an empty one of a declared length, is not affected.
public enum CollectorReception: Sendable {
    /// Reads the whole body.
    case read
    /// Reads a few bytes per interval.
    case slowly(bytes: Int, every: Duration)
    /// Closes the connection after a number of bytes of the body.
    case close(afterBytes: Int)
    /// Resets the connection after a number of bytes of the body.
    case reset(afterBytes: Int)
    /// Stops reading after a number of bytes of the body until a hold is released, then reads the rest.
    case hold(CollectorHold, afterBytes: Int)
}

/// A gate that delays requests until a test opens it.
public final class CollectorHold: Sendable {
    private struct State {
        var isReleased = false
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    /// Creates a closed gate.
    public init() {}

    /// Whether the gate is open.
    public var isReleased: Bool { state.withLock { $0.isReleased } }

    /// Opens the gate permanently.
    ///
    /// All waiting requests continue.
    public func release() {
        let waiting = state.withLock { state in
            state.isReleased = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for resume in waiting { resume() }
    }

    /// Calls a closure when the gate opens, or immediately if it is open.
    func whenReleased(_ resume: @escaping @Sendable () -> Void) {
        let isReleased = state.withLock { state in
            if !state.isReleased { state.waiting.append(resume) }
            return state.isReleased
        }
        if isReleased { resume() }
    }
}
