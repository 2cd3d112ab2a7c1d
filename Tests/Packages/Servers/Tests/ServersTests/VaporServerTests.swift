import EventDelivery
import Testing
import Vapor

@testable import VaporServer

/// A responder that tracks an event.
private struct View: AsyncResponder {
    let lane: DeliveryLane

    func respond(to request: Request) async throws -> Response {
        lane.track("viewed")
        return Response()
    }
}

@Suite(.timeLimit(.minutes(1))) struct VaporServerTests {
    @Test func `the engine closes after the application, so it delivers the event of the last request`() async throws {
        let scene = try Scene()
        let lane = scene.lane
        let app = Application { lane.track("last_request") }

        let running = Task { [engine = scene.engine, configuration = try scene.configuration] in
            try await serve(app, configuration, on: engine)
        }
        app.running?.stop()
        try await running.value

        #expect(scene.received == ["last_request"])
        #expect(await lane.trackUntilStored("too_late").dropReason == .closed)
    }

    @Test func `the events of a request have its user, id and route`() async throws {
        let scene = try Scene()
        try await scene.engine.open(scene.configuration)
        let middleware = TrackingMiddleware { _ in "u-1" }

        _ = try await middleware.respond(
            to: Request(id: "r-1", route: Route("GET /views/:id")),
            chainingTo: View(lane: scene.lane)
        )
        await scene.engine.close(timeout: .seconds(10))

        let event = try #require(scene.receiver.events(of: .awesomeTracking).first)
        #expect(event.json["user_id"] == "u-1" && event.json["session_id"] == "r-1")
        #expect(event.json["props"]?.string == #"{"route":"GET /views/:id"}"#)
    }
}
