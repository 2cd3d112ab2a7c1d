public import LoopbackCollector

/// A page in a browser that shows the events that a collector receives and that senders report.
///
/// It takes the collector's paths `/`, `/plan` and `/inspector/…` for itself, and leaves all others to receivers of
/// events. A sender needs the collector's address only; one whose configuration is `inspected(at:)` also reports the
/// states of its events. The latest 50,000 rows are kept.
///
/// The page requires the token in ``link``. Requests that name another host and requests of another origin's pages are
/// refused, because every page in every browser of this machine can reach a loopback port.
///
/// A collector with a `networkAddress` can be reached by other machines. Then every request needs the token, and the
/// services' receivers are off: senders report their events, and deliver them elsewhere. The connection is not
/// encrypted, so the page shows a warning.
public final class EventInspector: Sendable {
    /// The page's address, with the token that opens it.
    public let link: String
    private let store: InspectorStore

    /// Takes over the answers of a collector, which it keeps alive no longer than the collector's owner does.
    ///
    /// - Parameters:
    ///   - collector: Where events arrive.
    ///   - services: How the bodies are read, as for the collector.
    ///   - plan: The tracking plan that events are held to.
    public convenience init(
        on collector: LoopbackCollector,
        services: [CollectorService],
        plan: InspectorPlan = InspectorPlan()
    ) {
        let token = (0..<4).map { _ in String(UInt32.random(in: (1 << 28)...UInt32.max), radix: 16) }.joined()
        self.init(on: collector, services: services, plan: plan, token: token)
    }

    /// Takes over the answers of a collector with a given token.
    init(on collector: LoopbackCollector, services: [CollectorService], plan: InspectorPlan, token: String) {
        let access = Access(port: collector.port, networkAddress: collector.networkAddress, token: token)
        let store = InspectorStore(plan: plan)
        self.store = store
        link = "\(collector.url)/?token=\(token)"
        let routes = InspectorRoutes(store: store, plan: plan, access: access, receiver: "\(collector.url)")
        let reception = EventReception(services: services, store: store)
        collector.setScript(
            CollectorScript { head in
                // A body from the network without the token is not even read.
                access.isOnNetwork && head.method != "GET" && !access.admits(head) ? .close(afterBytes: 0) : .read
            } answering: { request in
                if let refusal = access.refusal(of: request.head) { return .unrecorded(.respond(refusal)) }
                if let answer = routes.answer(to: request) { return .unrecorded(answer) }
                return access.isOnNetwork ? .unrecorded(.respond(EventReception.off)) : reception.answer(to: request)
            }
        )
    }

    /// Forgets all rows.
    public func clear() {
        store.clear()
    }
}
