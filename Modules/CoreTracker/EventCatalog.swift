/// The events of one module, which it exports for the tracking plan.
///
/// `extension EventCatalog { public static let checkout = EventCatalog("DLCheckout", product: "DL", events: […]) }`.
public struct EventCatalog: Sendable {
    /// The module's name.
    public let module: String
    /// The product that the module belongs to, by its prefix such as `DL`.
    public let product: String
    /// The default parameters of the module's own tracker, which each of its events carries.
    public let scope: EventParameters
    /// The types of all its events.
    public let events: [any PlannedEvent.Type]

    /// Creates a catalog.
    public init(
        _ module: String,
        product: String,
        scope: EventParameters = [],
        events: [any PlannedEvent.Type]
    ) {
        self.module = module
        self.product = product
        self.scope = scope
        self.events = events
    }
}
