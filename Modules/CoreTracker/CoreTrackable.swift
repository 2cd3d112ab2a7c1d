/// An event of a feature module.
///
/// Events are values with typed fields in the module that owns them; there is no central list. Each wire name is
/// written once, beside the event.
public protocol CoreTrackable: Sendable, CustomStringConvertible {
    /// The services that the event goes to, in the order in which they are called: a statement for each.
    @EventServiceBuilder var services: [EventService] { get }
}
