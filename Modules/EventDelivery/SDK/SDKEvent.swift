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
