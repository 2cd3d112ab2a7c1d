import LoopbackCollector

/// A receiver of events, which accepts them or responds with a fault.
struct EventReception: Sendable {
    /// The response to events if the inspector uses a network address.
    static let off = CollectorResponse(
        403,
        text: "On a network address no events are received: the app reports them with inspected(at:).\n"
    )
    private static let responseLimit = 512

    let services: [CollectorService]
    let store: InspectorStore

    /// Records a request and returns the response.
    func response(to request: CollectedRequest) -> CollectorAction {
        guard request.method != "GET", request.method != "HEAD",
            let service = services.service(for: request.head)
        else { return .unrecorded(.respond(CollectorResponse(404, text: "No receiver has this address.\n"))) }
        let events = service.events(in: request)
        let fault = store.fault(service: service.name, events: events)
        let arrival = Arrival(
            request,
            status: fault.map { $0.status == 0 ? nil : $0.status } ?? 200,
            response: String((fault?.response ?? "").prefix(EventReception.responseLimit)),
            time: WallTime.now
        )
        store.receive(events, by: arrival, of: service.name)
        return fault?.collectorAction ?? .accept
    }
}
