import EventDelivery
import Hummingbird

/// A middleware that gives the events of a request its user, id and route.
struct TrackingMiddleware<Context: RequestContext>: RouterMiddleware {
    let user: @Sendable (Request, Context) -> String?

    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        try await withTracking(
            user: user(request, context),
            session: context.id,
            parameters: ["route": .string(context.endpointPath ?? "none")]
        ) {
            try await next(request, context)
        }
    }
}

/// Runs a server until a signal ends it.
func serve(_ configuration: DeliveryConfiguration, addRoutes: (Router<BasicRequestContext>) -> Void) async throws {
    let router = Router()
    // A middleware applies to the routes that are added after it.
    router.add(middleware: TrackingMiddleware { _, _ in nil })
    addRoutes(router)
    var app = Application(router: router)
    app.addServices(TrackingService(configuration: configuration))
    try await app.runService()
}
