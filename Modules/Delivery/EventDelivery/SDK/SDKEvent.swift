public import CoreTracker
public import EventBuffer

/// An event for an SDK, as the lane has stored it after consent, rules and policies for sensitive values.
public struct SDKEvent: Sendable, Hashable {
    /// The event's id, which is the same each time the event is passed to the SDK.
    public let id: EventID
    /// The event's name, which follows the destination's rules.
    public let name: String
    /// The time at which the event was tracked.
    ///
    /// The SDK's timestamp is later.
    public let time: Timestamp
    /// The user who was signed in at that time, if any.
    public let userID: String?
    /// The event's parameters and the product's defaults, which follow the destination's rules.
    public let parameters: EventParameters

    /// The batch key of all events stored for an SDK.
    ///
    /// No other destination uses it.
    static let batchKey = "\u{1F}sdk"

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - id: The event's id.
    ///   - name: The event's name.
    ///   - time: The time at which the event was tracked.
    ///   - userID: The user who was signed in at that time, if any.
    ///   - parameters: The event's parameters and the product's defaults.
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

    /// The parameters with the event's id and time as `event_id` and `event_time_ms`.
    ///
    /// Use them for an SDK that stamps an event with the time of the call. They need two more parameters.
    public var stampedParameters: EventParameters {
        var stamped = parameters
        stamped["event_id"] = .string(id.description)
        stamped["event_time_ms"] = .int(Int(clamping: time.milliseconds))
        return stamped
    }

    /// Writes the event in the form that its lane stores.
    func write(into json: inout JSONWriter) {
        json.beginObject()
        json.key(fixed: "id")
        json.id(id)
        json.member(fixed: "name", name)
        // Text, because a whole number may be read as 32 bits on a watch.
        json.member(fixed: "time", "\(time.microseconds)")
        if let userID { json.member(fixed: "user", userID) }
        json.key(fixed: "parameters")
        json.object(parameters)
        json.endObject()
    }

    /// Reads an event that ``write(into:)`` has written.
    ///
    /// Returns `nil` for other bytes.
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

/// The results of a batch that was passed to an SDK, encoded as an HTTP response.
struct SDKResponse: Equatable {
    /// The result of one event.
    enum Outcome: Equatable {
        /// The SDK accepted the event.
        case taken
        /// The SDK was not ready, or was not called because of an earlier event.
        case retry
        /// The event goes to quarantine.
        case refused(String)
    }

    /// The results, in the order of the batch.
    var outcomes: [Outcome] = []

    /// Whether the last event must be retried.
    ///
    /// Later events then wait as well.
    var isHeld: Bool { outcomes.last == .retry }

    /// The response, with one line for each event: `taken`, `retry`, or `refused` and the reason.
    var response: HTTPResponse {
        let lines = outcomes.map { outcome in
            switch outcome {
            case .taken: "taken"
            case .retry: "retry"
            case .refused(let reason): "refused " + ResponseText.reason(reason)
            }
        }
        return HTTPResponse(status: 200, body: Array(lines.joined(separator: "\n").utf8))
    }

    /// Reads the response for a batch.
    ///
    /// A response in another form is retried.
    static func result(for response: HTTPResponse, events count: Int) -> BatchResult {
        let lines = String(decoding: response.body, as: UTF8.self).split(separator: "\n")
        guard response.status == 200, lines.count == count else { return .retry(after: nil) }
        var results: [Int: BatchResult.EventResult] = [:]
        for (index, line) in lines.enumerated() where line != "taken" {
            results[index] = line.hasPrefix("refused ") ? .refused(String(line.dropFirst(8))) : .retry
        }
        return results.isEmpty ? .delivered : .partial(results)
    }
}

/// An error of an SDK that did not accept an event.
public enum SDKError: Error, Sendable, Hashable {
    /// The SDK cannot accept events yet, for example because the app has not configured it. The event is kept, and
    /// retried in order with later ones.
    case notReady
    /// The event is invalid. It goes to quarantine for the given reason, and later events continue.
    case invalidEvent(String)
}
