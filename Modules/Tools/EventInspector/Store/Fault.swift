import LoopbackCollector

/// An intentionally wrong response of the receiver, to make each state of an event visible.
struct Fault: Sendable, Hashable {
    /// The count of a fault without a limit.
    static let always = Int.max

    let service: String
    /// The name or id of the event required in a request.
    ///
    /// Empty for any request.
    let event: String
    /// The status, or 0 to close the connection without a response.
    let status: Int
    /// The body of the response.
    let response: String
    /// The value of `Retry-After` in seconds, or `nil` if there is none.
    let retryAfter: Int?
    /// The number of requests that will still get the fault.
    var remaining: Int
    /// Whether this is a command to remove the faults of the service.
    let isOff: Bool

    /// Parses a fault such as `{"service": "firebase", "status": 503, "count": 3}`.
    ///
    /// Without a status, it removes faults.
    init?(_ value: CollectedValue) {
        guard let service = value["service"]?.string else { return nil }
        let status = value["status"]?.integer
        guard status.map({ $0 == 0 || (300...599).contains($0) }) ?? true else { return nil }
        self.service = service
        event = value["event"]?.string ?? ""
        self.status = Int(status ?? 0)
        response = value["answer"]?.string ?? ""
        retryAfter = value["retryAfter"]?.integer.map { Int(clamping: $0) }
        remaining = value["count"]?.integer.map { Int(clamping: max(1, $0)) } ?? Fault.always
        isOff = status == nil
    }

    /// Returns whether the fault applies to a request.
    func meets(service: String, events: [CollectedEvent]) -> Bool {
        self.service == service && (event.isEmpty || events.contains { $0.name == event || $0.id == event })
    }

    /// The collector's response.
    var collectorAction: CollectorAction {
        guard status > 0 else { return .close }
        let headers = retryAfter.map { [CollectorResponse.Header("Retry-After", "\($0)")] } ?? []
        return .respond(CollectorResponse(status, headers: headers, text: response))
    }

    /// The fault as JSON for the page.
    var json: String {
        var json = JSONBuilder()
        json.object { json in
            json.member("service", service)
            json.member("event", event)
            json.member("status", status)
            if remaining != Fault.always { json.member("count", remaining) }
        }
        return json.text
    }
}
