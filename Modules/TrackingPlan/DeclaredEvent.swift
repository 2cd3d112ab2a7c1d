import CoreTracker

/// A planned event as the plan reads it, its examples asked for their services.
struct DeclaredEvent {
    /// The event's type without its module.
    let type: String
    let product: String
    let module: String
    let name: String
    let owner: String
    let purpose: String
    /// For each example, what each of its services is handed.
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

    /// The events of catalogs, and then those of capabilities.
    static func all(in catalogs: [EventCatalog], and capabilities: [CapabilityEvents] = []) -> [DeclaredEvent] {
        catalogs.flatMap { catalog in catalog.events.map { DeclaredEvent($0, in: catalog) } }
            + capabilities.flatMap(\.declared)
    }
}
