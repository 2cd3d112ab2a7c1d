import LoopbackCollector

/// A report of a sender, which is one line of JSON.
enum SenderReport {
    /// A tracked event on its way to one lane.
    struct Event: Sendable {
        let id: String
        let name: String
        /// The time of tracking, in microseconds since 1970.
        let time: Int64
        let device: String
        let user: String
        let session: String
        /// The event's parameters, as JSON.
        let own: String
        /// The product's default parameters at the time of tracking, as JSON.
        let defaults: String
        /// The bytes to send.
        ///
        /// Empty if the event is refused.
        let body: String
        /// The rules by which the event was adjusted, with counts.
        let adjustments: [(rule: String, count: Int)]
        /// The rule by which the event was refused, and the part of the event that breaks it.
        let error: (rule: String, field: String)?
    }

    case event(Lane, Event)
    /// An event that waits for consent.
    ///
    /// The report contains no parameters.
    case awaitingConsent(Lane, id: String, name: String, Status)
    case attempt(Lane, ids: [String], DeliveryAttempt)
    case status(Lane, id: String, Status)
    case lane(Lane, CollectedValue)

    /// The product and the service of a lane.
    struct Lane: Sendable, Hashable {
        let product: String
        let service: String

        /// Parses a lane such as `DL/firebase`.
        init?(_ text: String?) {
            guard let text, let slash = text.firstIndex(of: "/") else { return nil }
            product = String(text[..<slash])
            service = String(text[text.index(after: slash)...])
        }
    }

    /// The status of an event, as the page shows it.
    struct Status: Sendable, Hashable {
        let state: String
        let reason: String
    }

    /// Parses a line, or returns `nil` if it is not a report.
    init?(_ line: CollectedValue) {
        guard let lane = Lane(line["lane"]?.string) else { return nil }
        let text = { (key: String) in line[key]?.string ?? "" }
        switch line["kind"]?.string {
        case "event": self = .event(lane, Event(line))
        case "awaiting_consent":
            let error = line["refused"]?.string
            let status = Status(state: error == nil ? "awaiting consent" : "refused", reason: error ?? "")
            self = .awaitingConsent(lane, id: text("id"), name: text("name"), status)
        case "attempt":
            let status = line["status"]?.integer.flatMap { Int(exactly: $0) }
            let attempt = DeliveryAttempt(
                end: .sender,
                time: line["time"]?.integer ?? 0,
                status: status,
                response: text("answer"),
                result: text("result")
            )
            self = .attempt(lane, ids: line["ids"]?.elements.compactMap(\.string) ?? [], attempt)
        case "status": self = .status(lane, id: text("id"), Status(state: text("state"), reason: text("reason")))
        case "lane": self = .lane(lane, line)
        default: return nil
        }
    }
}

extension SenderReport.Event {
    fileprivate init(_ line: CollectedValue) {
        let text = { (key: String) in line[key]?.string ?? "" }
        id = text("id")
        name = text("name")
        time = line["time"]?.integer ?? 0
        device = text("device")
        user = text("user")
        session = text("session")
        own = text("own")
        defaults = text("defaults")
        body = text("body")
        adjustments =
            line["repairs"]?.members.compactMap { name, count in
                count.integer.flatMap { Int(exactly: $0) }.map { (rule: name, count: $0) }
            } ?? []
        error = line["refused"]?.string.map { (rule: $0, field: text("field")) }
    }
}

extension CollectedValue {
    /// The value of an integer, or `nil` if this is not an integer.
    var integer: Int64? { if case .int(let number) = self { number } else { nil } }

    /// The elements of an array.
    ///
    /// Empty for any other value.
    var elements: [CollectedValue] { if case .array(let elements) = self { elements } else { [] } }

    /// The members of an object, ordered by name.
    ///
    /// Empty for any other value.
    var members: [(key: String, value: CollectedValue)] {
        if case .object(let members) = self { members.sorted { $0.key < $1.key } } else { [] }
    }
}
