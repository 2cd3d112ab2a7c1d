/// An event of a feature module.
///
/// An event is a value with typed fields, declared in the module that owns it. There is no central list of events. Each
/// wire name is written once, next to the event.
///
/// ```swift
/// var services: [EventService] {
///     FirebaseEvent("view_cart", [.count(count)])
///     AwesomeTrackingEvent("basket_opened", [.count(count)])
/// }
/// ```
public protocol CoreTrackable: Sendable, CustomStringConvertible {
    /// The services that receive the event, one statement for each, in the order in which they are called.
    @EventServiceBuilder var services: [EventService] { get }
}
