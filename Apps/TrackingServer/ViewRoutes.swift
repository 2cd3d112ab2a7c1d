import CoreTracker
import DeliveryMetrics
import EventDelivery
import LoopbackCollector
import ServerDelivery

/// The routes of the server.
struct ViewRoutes: Sendable {
    /// The product's prefix, which is the first part of the lane's name.
    static let product = "AC"

    private let engine: DeliveryEngine
    private let service: LaneService
    private let wait: Duration
    private let gate: RequestGate

    /// Creates the routes.
    ///
    /// - Parameters:
    ///   - engine: The engine of the events.
    ///   - wait: The maximum wait for capacity.
    ///   - gate: The gate that all requests pass.
    init(engine: DeliveryEngine, wait: Duration, gate: RequestGate) {
        self.engine = engine
        self.wait = wait
        self.gate = gate
        service = LaneService(product: ViewRoutes.product, on: engine)
    }

    /// Returns the response to a request.
    func response(to request: CollectedRequest) async -> CollectorResponse {
        // A restart by the supervisor would not mend anything, so a running server is alive.
        if request.path == "/live" { return CollectorResponse(200, text: "live\n") }
        guard gate.enter() else { return ViewRoutes.unavailable("stopping") }
        defer { gate.leave() }
        switch (request.method, request.path) {
        case ("GET", "/metrics"):
            let text = await LaneStatistics.prometheusText(engine.statistics())
            let type = CollectorResponse.Header("Content-Type", LaneStatistics.prometheusContentType)
            return CollectorResponse(200, headers: [type], text: text)
        case ("GET", "/ready"):
            let obstacle = await engine.readiness().obstacle
            return obstacle.map(ViewRoutes.unavailable) ?? CollectorResponse(200, text: "ready\n")
        case ("POST", "/views"): return await trackView(request.query)
        default: return CollectorResponse(404)
        }
    }

    private func trackView(_ query: [String: String]) async -> CollectorResponse {
        guard let user = query["user"], !user.isEmpty else { return CollectorResponse(400, text: "no user\n") }
        let event = AwesomeTrackingEvent("product_viewed", ["item_id": query["product"] ?? ""])
        let session = query["session"] ?? user
        let reason = await withTracking(user: user, session: session, parameters: ["route": "/views"]) {
            await service.track(event, waitingUpTo: wait)
        }
        switch reason {
        case nil: return CollectorResponse(202)
        case .bufferFull?, .bufferBytes?, .closed?: return ViewRoutes.unavailable("no capacity")
        // The user or the configuration does not want this event, so a repetition would be lost too.
        case let reason?: return CollectorResponse(200, text: "not tracked: \(reason)\n")
        }
    }

    private static func unavailable(_ reason: String) -> CollectorResponse {
        CollectorResponse(503, headers: [CollectorResponse.Header("Retry-After", "1")], text: "\(reason)\n")
    }
}
