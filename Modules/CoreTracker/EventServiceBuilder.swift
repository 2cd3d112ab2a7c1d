/// Lists the services of an event: a statement for each, and `if`, `switch` and `for` where they depend on the event.
@resultBuilder
public enum EventServiceBuilder {
    /// What one statement or several have listed.
    ///
    /// Most events have two services, and a list that is made of both at once costs less than one that grows.
    public enum Part: Sendable {
        /// A single service, for which there is no list yet.
        case one(EventService)
        /// A list, which can be empty.
        case several([EventService])
    }

    /// Addresses an event to Firebase.
    @inlinable
    public static func buildExpression(_ event: consuming FirebaseEvent) -> Part { .one(.firebase(event)) }

    /// Addresses an event to AwesomeTracking.
    @inlinable
    public static func buildExpression(_ event: consuming AwesomeTrackingEvent) -> Part {
        .one(.awesomeTracking(event))
    }

    /// Addresses an event to the vendor of its type.
    @inlinable
    public static func buildExpression(_ event: consuming VendorEvent) -> Part { .one(.vendor(event)) }

    /// Takes a service as it is.
    @inlinable
    public static func buildExpression(_ service: consuming EventService) -> Part { .one(service) }

    /// Takes a list of services as it is.
    @inlinable
    public static func buildExpression(_ services: consuming [EventService]) -> Part { .several(services) }

    /// Refuses a list of events in brackets, with a message that says how to write them.
    @available(*, unavailable, message: "write each event as a statement of its own, without brackets and commas")
    public static func buildExpression(_ events: [any ServiceEvent]) -> Part { .several([]) }

    /// Lists no service.
    @inlinable
    public static func buildBlock() -> Part { .several([]) }

    /// Begins a list.
    @inlinable
    public static func buildPartialBlock(first: consuming Part) -> Part { first }

    /// Adds services.
    @inlinable
    public static func buildPartialBlock(accumulated: consuming Part, next: consuming Part) -> Part {
        switch (consume accumulated, consume next) {
        case (.one(let first), .one(let second)): return .several([first, second])
        case (.one(let first), .several(let others)): return .several([first] + others)
        case (.several(var services), .one(let next)):
            services.append(next)
            return .several(services)
        case (.several(var services), .several(let others)):
            services.append(contentsOf: others)
            return .several(services)
        }
    }

    /// Adds nothing where a condition does not hold.
    @inlinable
    public static func buildOptional(_ services: consuming Part?) -> Part { services ?? .several([]) }

    /// Takes the services of the first branch.
    @inlinable
    public static func buildEither(first services: consuming Part) -> Part { services }

    /// Takes the services of the second branch.
    @inlinable
    public static func buildEither(second services: consuming Part) -> Part { services }

    /// Joins the services of a loop.
    @inlinable
    public static func buildArray(_ services: [Part]) -> Part { .several(services.flatMap { buildFinalResult($0) }) }

    /// Makes the list.
    @inlinable
    public static func buildFinalResult(_ services: consuming Part) -> [EventService] {
        switch consume services {
        case .one(let service): return [service]
        case .several(let services): return services
        }
    }
}
