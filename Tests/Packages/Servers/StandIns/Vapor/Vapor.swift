public import NIOCore
import Synchronization

// The declarations of Vapor 4.122.0 that a middleware and a program use. No code here waits for a future.

public final class Route: CustomStringConvertible, Sendable {
    public let description: String

    /// Creates a route; the package has another initializer, with a responder.
    public init(_ description: String) { self.description = description }
}

public final class Request: Sendable {
    public let id: String
    public let route: Route?

    /// Creates a request; the package has other initializers, with an application.
    public init(id: String, route: Route?) {
        self.id = id
        self.route = route
    }
}

public final class Response: Sendable {
    public init() {}
}

public protocol Responder: Sendable {
    func respond(to request: Request) -> EventLoopFuture<Response>
}

public protocol AsyncResponder: Responder {
    func respond(to request: Request) async throws -> Response
}

extension AsyncResponder {
    public func respond(to request: Request) -> EventLoopFuture<Response> { EventLoopFuture() }
}

public protocol Middleware: Sendable {
    func respond(to request: Request, chainingTo next: any Responder) -> EventLoopFuture<Response>
}

public protocol AsyncMiddleware: Middleware {
    func respond(to request: Request, chainingTo next: any AsyncResponder) async throws -> Response
}

extension AsyncMiddleware {
    public func respond(to request: Request, chainingTo next: any Responder) -> EventLoopFuture<Response> {
        EventLoopFuture()
    }
}

public struct Middlewares: Sendable {
    public enum Position {
        case beginning
        case end
    }

    private var storage: [any Middleware] = []

    public mutating func use(_ middleware: any Middleware, at position: Position = .end) { storage.append(middleware) }
}

/// A stand-in of an application, which serves no requests.
public final class Application: Sendable {
    public struct Running: Sendable {
        fileprivate let continuation: AsyncStream<Never>.Continuation

        public func stop() { continuation.finish() }
    }

    private let storage = Mutex(Middlewares())
    private let stop: AsyncStream<Never>
    public let running: Running?
    /// The last request, which the server completes when it stops.
    private let lastRequest: @Sendable () async -> Void

    /// Creates an application; the package has `Application.make(_:_:)` instead.
    public init(lastRequest: @escaping @Sendable () async -> Void = {}) {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        stop = stream
        running = Running(continuation: continuation)
        self.lastRequest = lastRequest
    }

    public var middleware: Middlewares {
        get { storage.withLock { $0 } }
        set { storage.withLock { $0 = newValue } }
    }

    public func execute() async throws {
        for await _ in stop {}
    }

    public func asyncShutdown() async throws {
        await lastRequest()
    }
}
