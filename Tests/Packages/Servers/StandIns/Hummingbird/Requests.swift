// The declarations of Hummingbird 2.26.0 that a middleware uses.

public struct Request: Sendable {
    public init() {}
}

public struct Response: Sendable {
    public init() {}
}

public struct EndpointPath: Sendable {
    public var value: String?
}

public struct CoreRequestContextStorage: Sendable {
    public var endpointPath: EndpointPath
    var id: String
}

public protocol RequestContext: Sendable {
    var coreContext: CoreRequestContextStorage { get set }
}

extension RequestContext {
    public var endpointPath: String? { coreContext.endpointPath.value }
    public var id: String { coreContext.id }
}

public struct BasicRequestContext: RequestContext {
    public var coreContext: CoreRequestContextStorage

    /// Creates a context; the package has another initializer, with a channel.
    public init(id: String, endpointPath: String?) {
        coreContext = CoreRequestContextStorage(endpointPath: EndpointPath(value: endpointPath), id: id)
    }
}

public protocol MiddlewareProtocol<Input, Output, Context>: Sendable {
    associatedtype Input
    associatedtype Output
    associatedtype Context

    func handle(_ input: Input, context: Context, next: (Input, Context) async throws -> Output) async throws -> Output
}

public protocol RouterMiddleware<Context>: MiddlewareProtocol where Input == Request, Output == Response {}
