import LoopbackCollector

/// A wrong answer that a service's receiver gives on purpose, so that each state can be seen.
struct Fault: Sendable, Hashable {
    /// A number of requests that never ends.
    static let always = Int.max

    let service: String
    /// The event's name or id that a request must hold; empty for any request.
    let event: String
    /// The status; 0 closes the connection without an answer.
    let status: Int
    /// The body of the answer.
    let answer: String
    /// The seconds of the answer's `Retry-After`; `nil` for none.
    let retryAfter: Int?
    /// How many requests meet it yet.
    var remaining: Int
    /// Whether it takes away those that are set.
    let isOff: Bool

    /// Reads `{"service": "firebase", "status": 503, "count": 3}`; without a status it takes faults away.
    init?(_ value: CollectedValue) {
        guard let service = value["service"]?.string else { return nil }
        let status = value["status"]?.integer
        guard status.map({ $0 == 0 || (300...599).contains($0) }) ?? true else { return nil }
        self.service = service
        event = value["event"]?.string ?? ""
        self.status = Int(status ?? 0)
        answer = value["answer"]?.string ?? ""
        retryAfter = value["retryAfter"]?.integer.map { Int(clamping: $0) }
        remaining = value["count"]?.integer.map { Int(clamping: max(1, $0)) } ?? Fault.always
        isOff = status == nil
    }

    /// Whether a request is one that meets the fault.
    func meets(service: String, events: [CollectedEvent]) -> Bool {
        self.service == service && (event.isEmpty || events.contains { $0.name == event || $0.id == event })
    }

    /// What the receiver does.
    var collectorAnswer: CollectorAnswer {
        guard status > 0 else { return .close }
        let headers = retryAfter.map { [CollectorResponse.Header("Retry-After", "\($0)")] } ?? []
        return .respond(CollectorResponse(status, headers: headers, text: answer))
    }

    /// The fault as the page gets it.
    var json: String {
        var json = JSONText()
        json.object { json in
            json.member("service", service)
            json.member("event", event)
            json.member("status", status)
            if remaining != Fault.always { json.member("count", remaining) }
        }
        return json.text
    }
}
