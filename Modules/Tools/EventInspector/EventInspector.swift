package import LoopbackCollector

/// An inspector that shows, on a web page, the events received by a collector and reported by senders.
///
/// ```swift
/// inspector = EventInspector(on: collector, services: .all, plan: plan)
/// ```
///
/// The inspector handles the collector's paths `/`, `/plan` and `/inspector/…`. All other paths receive events. A
/// sender only needs the collector's address. If its configuration is `inspected(at:)`, it also reports the states of
/// its events. The inspector keeps the latest 50,000 rows.
///
/// The page requires the token in ``link``, because every page in every browser of this machine can reach a loopback
/// port. For the same reason, requests that name another host and requests from pages of another origin are rejected.
///
/// Other machines can reach a collector with a `networkAddress`. In this case every request needs the token, and the
/// collector receives no events: senders report their events and deliver them elsewhere. The connection is not
/// encrypted, so the page shows a warning.
package final class EventInspector: Sendable {
    /// The address of the page, including its token.
    package let link: String
    private let store: InspectorStore

    /// Creates an inspector that handles the requests of a collector.
    ///
    /// The inspector does not extend the lifetime of the collector.
    ///
    /// - Parameters:
    ///   - collector: The collector that receives the events. Its script is replaced.
    ///   - services: The services whose events are decoded, as for the collector.
    ///   - plan: The tracking plan with which events are compared.
    package convenience init(
        on collector: LoopbackCollector,
        services: [CollectorService],
        plan: InspectorPlan = InspectorPlan()
    ) {
        let token = (0..<4).map { _ in String(UInt32.random(in: (1 << 28)...UInt32.max), radix: 16) }.joined()
        self.init(on: collector, services: services, plan: plan, token: token)
    }

    /// Creates an inspector with a given token.
    init(on collector: LoopbackCollector, services: [CollectorService], plan: InspectorPlan, token: String) {
        let access = Access(port: collector.port, networkAddress: collector.networkAddress, token: token)
        let store = InspectorStore(plan: plan)
        self.store = store
        link = "\(collector.url)/?token=\(token)"
        let routes = InspectorRoutes(store: store, plan: plan, access: access, receiver: "\(collector.url)")
        let reception = EventReception(services: services, store: store)
        collector.setScript(
            CollectorScript { head in
                // If a request comes from the network without the token, its body is not read.
                access.isOnNetwork && !access.admits(head) ? .close(afterBytes: 0) : .read
            } responding: { request in
                if let rejection = access.rejection(of: request.head) { return .unrecorded(.respond(rejection)) }
                if let response = routes.response(to: request) { return .unrecorded(response) }
                return access.isOnNetwork ? .unrecorded(.respond(EventReception.off)) : reception.response(to: request)
            }
        )
    }

    /// Removes all rows.
    package func clear() {
        store.clear()
    }
}
