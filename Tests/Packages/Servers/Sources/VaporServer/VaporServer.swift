import EventDelivery
import Vapor

/// A middleware that gives the events of a request its user, id and route.
struct TrackingMiddleware: AsyncMiddleware {
    let user: @Sendable (Request) -> String?

    func respond(to request: Request, chainingTo next: any AsyncResponder) async throws -> Response {
        try await withTracking(
            user: user(request),
            session: request.id,
            parameters: ["route": .string(request.route?.description ?? "none")]
        ) {
            try await next.respond(to: request)
        }
    }
}

/// Runs an application, and closes the engine after its last request.
func serve(
    _ app: Application,
    _ configuration: DeliveryConfiguration,
    on engine: DeliveryEngine = .shared
) async throws {
    app.middleware.use(TrackingMiddleware { _ in nil })
    try await engine.open(configuration)
    let result: Result<Void, any Error>
    do { result = .success(try await app.execute()) } catch { result = .failure(error) }
    try? await app.asyncShutdown()
    await engine.close(timeout: .seconds(10))
    try result.get()
}
