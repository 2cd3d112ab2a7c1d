public import CoreTracker

/// An event as an SDK is handed it: what its lane has stored of it, after consent, rules and sensitive values.
public struct SDKEvent: Sendable, Hashable {
    /// The event's id, the same however often it is handed over.
    public let id: EventID
    /// The event's name, which keeps the destination's rules.
    public let name: String
    /// When it was tracked; the SDK's own stamp is later.
    public let time: Timestamp
    /// The user who was signed in then; `nil` for none.
    public let userID: String?
    /// The event's parameters over the product's, which keep the destination's rules.
    public let parameters: EventParameters

    /// The batch key of all stored events that are for an SDK, which no other destination has.
    static let batchKey = "\u{1F}sdk"

    /// Creates an event.
    public init(
        id: EventID,
        name: String,
        time: Timestamp,
        userID: String? = nil,
        parameters: EventParameters = [:]
    ) {
        self.id = id
        self.name = name
        self.time = time
        self.userID = userID
        self.parameters = parameters
    }

    /// The parameters with the event's own id and time as `event_id` and `event_time_ms`, for an SDK that stamps an
    /// event with the time of the call; they take two places more.
    public var stampedParameters: EventParameters {
        var stamped = parameters
        stamped["event_id"] = .string(id.description)
        stamped["event_time_ms"] = .int(Int(clamping: time.milliseconds))
        return stamped
    }

    /// Writes the event as its lane stores it.
    func write(into json: inout JSONWriter) {
        json.beginObject()
        json.key(fixed: "id")
        json.id(id)
        json.member(fixed: "name", name)
        // As text, since a whole number that is read may have 32 bits on a watch.
        json.member(fixed: "time", "\(time.microseconds)")
        if let userID { json.member(fixed: "user", userID) }
        json.key(fixed: "parameters")
        json.object(parameters)
        json.endObject()
    }

    /// Reads what ``write(into:)`` has written; `nil` for anything else.
    init?(stored bytes: ArraySlice<UInt8>) {
        guard let members = JSONReader.object(in: bytes),
            case .string(let id) = members["id"], let id = EventID(id),
            case .string(let name) = members["name"],
            case .string(let text) = members["time"], let time = Int64(text),
            case .object(let parameters) = members["parameters"]
        else { return nil }
        let userID: String? = if case .string(let text) = members["user"] { text } else { nil }
        self.init(
            id: id,
            name: name,
            time: Timestamp(microseconds: time),
            userID: userID,
            parameters: parameters
        )
    }
}

/// What became of each event of a batch that an SDK was handed, as the answer of a request says it.
struct SDKAnswer: Equatable {
    /// What became of one event.
    enum Outcome: Equatable {
        /// The SDK has it.
        case taken
        /// The SDK was not ready, or was not asked because of an event before.
        case retry
        /// The event goes to quarantine.
        case refused(String)
    }

    /// The outcomes, in the order of the batch.
    var outcomes: [Outcome] = []

    /// Whether an event waits, so that those behind it have to wait as well.
    var isHeld: Bool { outcomes.last == .retry }

    /// The answer as a receiver would give it: a line for each event, `taken`, `retry` or `refused` and the reason.
    var response: HTTPResponse {
        let lines = outcomes.map { outcome in
            switch outcome {
            case .taken: "taken"
            case .retry: "retry"
            case .refused(let reason): "refused " + AnswerText.reason(reason)
            }
        }
        return HTTPResponse(status: 200, body: Array(lines.joined(separator: "\n").utf8))
    }

    /// Says what an answer means for a batch of so many events; one that is no answer of these means another try.
    static func verdict(on response: HTTPResponse, events count: Int) -> BatchVerdict {
        let lines = String(decoding: response.body, as: UTF8.self).split(separator: "\n")
        guard response.status == 200, lines.count == count else { return .retry(after: nil) }
        var verdicts: [Int: BatchVerdict.EventVerdict] = [:]
        for (index, line) in lines.enumerated() where line != "taken" {
            verdicts[index] = line.hasPrefix("refused ") ? .refused(String(line.dropFirst(8))) : .retry
        }
        return verdicts.isEmpty ? .delivered : .partial(verdicts)
    }
}

/// Why an SDK was not handed an event.
public enum SDKRefusal: Error, Sendable, Hashable {
    /// The SDK cannot take events yet, for example because the app has not configured it: the event is kept, and tried
    /// again with the ones behind it, in order.
    case notReady
    /// The event itself is at fault: it goes to quarantine for the given reason, and the ones behind it go on.
    case invalidEvent(String)
}
