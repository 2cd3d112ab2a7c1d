import EventDelivery
import Hummingbird
import Logging
import ServiceLifecycle
import Testing

@testable import HummingbirdServer

/// A server that tracks the event of its last request when it shuts down.
private struct LastRequest: Service {
    let lane: DeliveryLane

    func run() async throws {
        try? await gracefulShutdown()
        lane.track("last_request")
    }
}

@Suite(.timeLimit(.minutes(1))) struct HummingbirdServerTests {
    @Test func `a cancelled service closes the engine, and its events are delivered`() async throws {
        let scene = try Scene()
        let service = TrackingService(engine: scene.engine, configuration: try scene.configuration)

        let running = Task { try await service.run() }
        scene.lane.track("opened")
        running.cancel()
        try await running.value

        #expect(scene.received == ["opened"])
        #expect(await scene.lane.trackUntilStored("too_late").dropReason == .closed)
    }

    @Test func `a graceful shutdown ends the server first, so the engine delivers its last event`() async throws {
        let scene = try Scene()
        let tracking = TrackingService(engine: scene.engine, configuration: try scene.configuration)
        let group = ServiceGroup(services: [tracking, LastRequest(lane: scene.lane)], logger: Logger(label: "test"))

        let running = Task { try await group.run() }
        scene.lane.track("opened")
        await group.triggerGracefulShutdown()
        try await running.value

        #expect(scene.received == ["opened", "last_request"])
    }

    @Test func `the events of a request have its user, id and route`() async throws {
        let scene = try Scene()
        let lane = scene.lane
        try await scene.engine.open(scene.configuration)
        let middleware = TrackingMiddleware<BasicRequestContext> { _, _ in "u-1" }

        _ = try await middleware.handle(
            Request(),
            context: BasicRequestContext(id: "r-1", endpointPath: "/views/:id")
        ) { _, _ in
            lane.track("viewed")
            return Response()
        }
        await scene.engine.close(timeout: .seconds(10))

        let event = try #require(scene.receiver.events(of: .awesomeTracking).first)
        #expect(event.json["user_id"] == "u-1" && event.json["session_id"] == "r-1")
        #expect(event.json["props"]?.string == #"{"route":"/views/:id"}"#)
    }
}
