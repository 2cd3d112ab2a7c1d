import CoreTracker

/// A planned event with the service calls of its examples.
struct DeclaredEvent {
    /// The event's type without its module.
    let type: String
    let product: String
    let module: String
    let name: String
    let owner: String
    let purpose: String
    /// The service calls of each example.
    let examples: [[DeclaredCall]]
}

extension DeclaredEvent {
    init<Event: PlannedEvent>(_ event: Event.Type, in catalog: EventCatalog) {
        let plan = Event.plan
        self.init(
            type: String(describing: event),
            product: catalog.product,
            module: catalog.module,
            name: plan.name,
            owner: plan.owner.name,
            purpose: plan.purpose,
            examples: plan.examples.map { example in
                example.services.map { DeclaredCall($0, scope: catalog.scope) }
            }
        )
    }

    /// Returns the events of catalogs, followed by those of capabilities.
    static func all(in catalogs: [EventCatalog], and capabilities: [CapabilityEvents] = []) -> [DeclaredEvent] {
        catalogs.flatMap { catalog in catalog.events.map { DeclaredEvent($0, in: catalog) } }
            + capabilities.flatMap(\.declared)
    }
}
