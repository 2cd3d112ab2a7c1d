public import LoopbackCollector

/// A live view of what a loopback collector receives, and of what its senders tell of themselves: a page in a browser.
///
/// It takes the collector's paths `/`, `/plan` and `/inspector/…` for itself, and leaves all others to receivers of
/// events. A sender needs the collector's address alone; one whose configuration is `inspected(at:)` also reports what
/// only it knows. The latest 50,000 rows are kept.
///
/// The page belongs to whoever has ``link``. A request that names another host, comes from another origin's page or
/// lacks the token is refused, since every page in every browser of this machine can reach a loopback port.
public final class EventInspector: Sendable {
    /// The page's address, with the token that opens it.
    public let link: String
    private let store: InspectorStore

    /// Takes over the answers of a collector, which it keeps alive no longer than the collector's owner does.
    ///
    /// - Parameters:
    ///   - collector: Where events arrive.
    ///   - services: How the bodies are read; a request belongs to the first that matches it.
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
        let access = Access(port: collector.port, token: token)
        let store = InspectorStore(plan: plan)
        self.store = store
        link = "\(collector.url)/?token=\(token)"
        let routes = InspectorRoutes(store: store, plan: plan, access: access, receiver: collector.url)
        let reception = EventReception(services: services, store: store)
        collector.setScript(
            CollectorScript { request in
                if let refusal = access.refusal(of: request.head) { return .unrecorded(.respond(refusal)) }
                return routes.answer(to: request).map { .unrecorded($0) } ?? reception.answer(to: request)
            }
        )
    }

    /// Forgets all rows.
    public func clear() {
        store.clear()
    }
}
