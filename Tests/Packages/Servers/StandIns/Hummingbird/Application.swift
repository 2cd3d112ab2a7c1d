public import Logging
public import ServiceLifecycle
public import UnixSignals

// The declarations of Hummingbird 2.26.0 that start a server.

public protocol HTTPResponder<Context>: Sendable {
    associatedtype Context

    @Sendable func respond(to request: Request, context: Context) async throws -> Response
}

public protocol HTTPResponderBuilder {
    associatedtype Responder: HTTPResponder

    func buildResponder() -> Responder
}

/// A stand-in of a router with one route for all requests.
public final class Router<Context: RequestContext>: HTTPResponderBuilder {
    private var middlewares: [any MiddlewareProtocol<Request, Response, Context>] = []

    public init(context: Context.Type = BasicRequestContext.self) {}

    @discardableResult public func add(middleware: any MiddlewareProtocol<Request, Response, Context>) -> Self {
        middlewares.append(middleware)
        return self
    }

    public func buildResponder() -> RouterResponder<Context> { RouterResponder() }
}

public struct RouterResponder<Context: RequestContext>: HTTPResponder {
    public func respond(to request: Request, context: Context) async throws -> Response { Response() }
}

public struct Application<Responder: HTTPResponder>: Service {
    public var services: [any Service]
    public var logger = Logger(label: "Hummingbird")

    public init<ResponderBuilder: HTTPResponderBuilder>(
        router: ResponderBuilder,
        services: [any Service] = []
    ) where Responder == ResponderBuilder.Responder {
        self.services = services
    }

    public mutating func addServices(_ services: any Service...) {
        self.services.append(contentsOf: services)
    }

    public func run() async throws {
        try await ServiceGroup(services: services + [Server()], logger: logger).run()
    }

    public func runService(gracefulShutdownSignals: [UnixSignal] = [.sigterm, .sigint]) async throws {
        let group = ServiceGroup(
            services: [self],
            gracefulShutdownSignals: gracefulShutdownSignals,
            logger: logger
        )
        try await group.run()
    }
}

/// A stand-in of the server, which is the last service of an application and therefore shuts down first.
private struct Server: Service {
    func run() async throws { try await gracefulShutdown() }
}
