/// One service of an event, with the event in its form for that service.
///
/// A new vendor does not add a case. A ``VendorEvent`` names its vendor by a ``TrackerType``.
public enum EventService: Sendable, Equatable {
    /// Firebase Analytics.
    case firebase(FirebaseEvent)
    /// AwesomeTracking, the in-house service.
    case awesomeTracking(AwesomeTrackingEvent)
    /// The vendor registered by the app under the event's type.
    case vendor(VendorEvent)
}

extension EventService {
    /// The event for the service.
    package var event: any ServiceEvent {
        switch self {
        case .firebase(let event): event
        case .awesomeTracking(let event): event
        case .vendor(let event): event
        }
    }

    /// The service's name, which is also the name of its lanes.
    package var serviceName: String {
        switch self {
        case .firebase: "firebase"
        case .awesomeTracking: "awesomeTracking"
        case .vendor(let event): event.type.name
        }
    }

    /// Adds wider default parameters to the event.
    mutating func addDefaults(_ wider: EventParameters) {
        switch self {
        case .firebase(var event):
            event.addDefaults(wider)
            self = .firebase(event)
        case .awesomeTracking(var event):
            event.addDefaults(wider)
            self = .awesomeTracking(event)
        case .vendor(var event):
            event.addDefaults(wider)
            self = .vendor(event)
        }
    }
}

/// A result builder that lists the services of an event: one statement for each, and `if`, `switch` and `for`.
@resultBuilder
public enum EventServiceBuilder {
    /// The services of one or more statements.
    ///
    /// Most events have two services. Building a list from both at once costs less than growing one.
    public enum Part: Sendable {
        /// A single service, without an array.
        case one(EventService)
        /// An array of services, which can be empty.
        case several([EventService])
    }

    /// Adds an event for Firebase.
    @inlinable
    public static func buildExpression(_ event: consuming FirebaseEvent) -> Part { .one(.firebase(event)) }

    /// Adds an event for AwesomeTracking.
    @inlinable
    public static func buildExpression(_ event: consuming AwesomeTrackingEvent) -> Part {
        .one(.awesomeTracking(event))
    }

    /// Adds an event for the vendor of its type.
    @inlinable
    public static func buildExpression(_ event: consuming VendorEvent) -> Part { .one(.vendor(event)) }

    /// Adds a service unchanged.
    @inlinable
    public static func buildExpression(_ service: consuming EventService) -> Part { .one(service) }

    /// Adds a list of services unchanged.
    @inlinable
    public static func buildExpression(_ services: consuming [EventService]) -> Part { .several(services) }

    /// Rejects a list of events in brackets, with a message that shows the right form.
    @available(*, unavailable, message: "write each event as a separate statement, without brackets or commas")
    public static func buildExpression(_ events: [any ServiceEvent]) -> Part { .several([]) }

    /// Returns an empty list.
    @inlinable
    public static func buildBlock() -> Part { .several([]) }

    /// Starts a list.
    @inlinable
    public static func buildPartialBlock(first: consuming Part) -> Part { first }

    /// Adds services to the list.
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

    /// Adds the services of an `if` without `else`, if its condition is true.
    @inlinable
    public static func buildOptional(_ services: consuming Part?) -> Part { services ?? .several([]) }

    /// Adds the services of the first branch.
    @inlinable
    public static func buildEither(first services: consuming Part) -> Part { services }

    /// Adds the services of the second branch.
    @inlinable
    public static func buildEither(second services: consuming Part) -> Part { services }

    /// Joins the services of all iterations of a loop.
    @inlinable
    public static func buildArray(_ services: [Part]) -> Part { .several(services.flatMap { buildFinalResult($0) }) }

    /// Returns the list of services.
    @inlinable
    public static func buildFinalResult(_ services: consuming Part) -> [EventService] {
        switch consume services {
        case .one(let service): return [service]
        case .several(let services): return services
        }
    }
}

/// An event for one service: a name, parameters, and default parameters.
public protocol ServiceEvent: Sendable, Equatable, CustomStringConvertible {
    /// The event's name.
    var name: String { get set }
    /// The event's own parameters.
    ///
    /// They override every default parameter.
    var parameters: EventParameters { get set }
    /// The event's default parameters: automatic < product < feature < flow.
    var defaults: EventParameters { get set }
    /// The event's durability and priority.
    var options: TrackOptions { get set }
}

extension ServiceEvent {
    /// Returns the event with further, wider default parameters.
    ///
    /// - Parameter defaults: The default parameters. The event's existing default parameters override them.
    /// - Returns: The event with the merged default parameters.
    public func withDefaults(_ defaults: EventParameters) -> Self {
        guard !defaults.isNothing else { return self }
        var event = self
        event.addDefaults(defaults)
        return event
    }

    /// Adds wider default parameters.
    mutating func addDefaults(_ wider: EventParameters) {
        defaults = wider.merging(defaults)
    }
}
