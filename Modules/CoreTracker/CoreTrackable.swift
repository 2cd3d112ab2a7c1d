/// An event of a feature module.
///
/// Events are values with typed fields in the module that owns them; there is no central list. The wire names stand
/// once, beside the event.
public protocol CoreTrackable: Sendable {
    /// The services that the event goes to, in the order in which they are called: a statement for each.
    @EventServiceBuilder var services: [EventService] { get }
}
