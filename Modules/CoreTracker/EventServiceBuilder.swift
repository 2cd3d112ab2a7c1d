/// Lists the services of an event: a statement for each, and `if`, `switch` and `for` where they depend on the event.
@resultBuilder
public enum EventServiceBuilder {
    /// Addresses an event to Firebase.
    @inlinable
    public static func buildExpression(_ event: consuming FirebaseEvent) -> EventService { .firebase(event) }

    /// Addresses an event to AwesomeTracking.
    @inlinable
    public static func buildExpression(_ event: consuming AwesomeTrackingEvent) -> EventService {
        .awesomeTracking(event)
    }

    /// Takes a service as it is, such as a vendor.
    @inlinable
    public static func buildExpression(_ service: consuming EventService) -> EventService { service }

    /// Takes a list of services as it is.
    @inlinable
    public static func buildExpression(_ services: consuming [EventService]) -> [EventService] { services }

    /// Makes a list of no service.
    @inlinable
    public static func buildBlock() -> [EventService] { [] }

    /// Begins a list, with room for the two services that most events have.
    @inlinable
    public static func buildPartialBlock(first: consuming EventService) -> [EventService] {
        var services: [EventService] = []
        services.reserveCapacity(2)
        services.append(first)
        return services
    }

    /// Begins a list.
    @inlinable
    public static func buildPartialBlock(first: consuming [EventService]) -> [EventService] { first }

    /// Adds a service.
    @inlinable
    public static func buildPartialBlock(
        accumulated: consuming [EventService],
        next: consuming EventService
    ) -> [EventService] {
        accumulated.append(next)
        return accumulated
    }

    /// Adds services.
    @inlinable
    public static func buildPartialBlock(
        accumulated: consuming [EventService],
        next: [EventService]
    ) -> [EventService] {
        accumulated.append(contentsOf: next)
        return accumulated
    }

    /// Adds nothing where a condition does not hold.
    @inlinable
    public static func buildOptional(_ services: [EventService]?) -> [EventService] { services ?? [] }

    /// Takes the services of the first branch.
    @inlinable
    public static func buildEither(first services: consuming [EventService]) -> [EventService] { services }

    /// Takes the services of the second branch.
    @inlinable
    public static func buildEither(second services: consuming [EventService]) -> [EventService] { services }

    /// Joins the services of a loop.
    @inlinable
    public static func buildArray(_ services: [[EventService]]) -> [EventService] { services.flatMap { $0 } }
}
