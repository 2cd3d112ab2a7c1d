public import CoreTracker
package import EventDelivery
public import EventTracking

/// An event for an SDK, as the lane has stored it after consent, rules and policies for sensitive values.
public struct SDKEvent: Sendable, Hashable {
    /// The event's id, which is the same each time the event is passed to the SDK.
    public let id: EventID
    /// The event's name, which follows the destination's rules.
    public let name: String
    /// The time of tracking.
    ///
    /// The SDK's timestamp is later.
    public let time: Timestamp
    /// The signed-in user at that time.
    ///
    /// `nil` without a user, or if the SDK does not accept the id.
    public let userID: String?
    /// The event's parameters and the product's defaults, which follow the destination's rules.
    public let parameters: EventParameters

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - id: The event's id.
    ///   - name: The event's name.
    ///   - time: The time of tracking.
    ///   - userID: The signed-in user at that time, if any.
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
    /// Use them for an SDK that stamps an event with the time of the call. They need two more parameters. Where `Int`
    /// has only 32 bits, the time is a double.
    public var stampedParameters: EventParameters {
        var stamped = parameters
        stamped["event_id"] = .string(id.description)
        stamped["event_time_ms"] = SDKEvent.parameter(time.milliseconds)
        return stamped
    }

    /// Returns a number as a parameter, which is a double where `Int` is too small, as on watchOS with `arm64_32`.
    static func parameter<Number: FixedWidthInteger>(_ value: Int64, as _: Number.Type = Int.self) -> ParameterValue {
        Number(exactly: value) == nil ? .double(Double(value)) : .int(Int(clamping: value))
    }

    /// Writes the event in its stored form.
    package func write(into json: inout JSONWriter) {
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

    /// Reads an event written by ``write(into:)``.
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

/// An error of an SDK that did not accept an event.
public enum SDKError: Error, Sendable, Hashable {
    /// The SDK cannot accept events yet, for example because the app has not configured it. The event is kept, and
    /// retried in order with later ones.
    case notReady
    /// The event is invalid. It goes to quarantine for the given reason, and later events continue.
    case invalidEvent(String)
}
