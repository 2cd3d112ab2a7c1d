import CoreTracker

/// A tracking plan, which lists the parameters that each service gets from each event.
struct Plan: Hashable {
    /// The entries, in the order of the catalogs and of their events.
    var entries: [PlanEntry] = []

    /// Creates an empty plan.
    init() {}

    /// Creates a plan from the examples of events and from calls of capabilities.
    init(
        of catalogs: [EventCatalog],
        and capabilities: [CapabilityEvents] = [],
        at services: [CheckedService],
        notes: PlanNotes = PlanNotes()
    ) {
        entries = DeclaredEvent.all(in: catalogs, and: capabilities).flatMap { event in
            Plan.entries(of: event, at: services).map { entry in
                var noted = entry
                let examples = event.examples.joined().filter { $0.isExample(of: entry) }
                noted.parameters.add({ notes.key($0, of: entry) }, examples: examples.map { .object($0.parameters) })
                return noted
            }
        }
    }

    /// The prefixes of the products, in the order of their first entries.
    var products: [String] { values(of: \.product, in: entries) }

    /// The names of the modules, in the order of their first entries.
    var modules: [String] { values(of: \.module, in: entries) }

    /// The names of the services, in the order of their first entries.
    var services: [String] { values(of: \.service, in: entries) }

    /// Returns the names of a product's modules, in the order of their first entries.
    func modules(of product: String) -> [String] {
        values(of: \.module, in: entries.filter { $0.product == product })
    }

    private func values(of member: KeyPath<PlanEntry, String>, in entries: [PlanEntry]) -> [String] {
        var values: [String] = []
        for entry in entries where !values.contains(entry[keyPath: member]) { values.append(entry[keyPath: member]) }
        return values
    }

    /// The entries as receivers see them: those with the same product, service and name are one.
    ///
    /// Several events and modules may send the same name. Its parameters are those of all, and the rest is of the
    /// first.
    var received: [PlanEntry] {
        var places: [[String]: Int] = [:]
        return entries.reduce(into: []) { received, entry in
            if let place = places[[entry.product, entry.service, entry.name]] {
                received[place].parameters = received[place].parameters.merged(with: entry.parameters)
            } else {
                places[[entry.product, entry.service, entry.name]] = received.count
                received.append(entry)
            }
        }
    }

    private static func entries(of event: DeclaredEvent, at services: [CheckedService]) -> [PlanEntry] {
        var entries: [PlanEntry] = []
        for call in event.examples.joined() {
            var schema = ValueSchema(ofParameters: call.parameters)
            schema.add(defaults: call.defaults)
            if let index = entries.firstIndex(where: call.isExample) {
                entries[index].parameters = entries[index].parameters.merged(with: schema)
                continue
            }
            let service = services.first { $0.accepts(call.service, of: event.product) }
            entries.append(
                PlanEntry(
                    product: event.product,
                    module: event.module,
                    event: event.type,
                    title: event.name,
                    owner: event.owner,
                    purpose: event.purpose,
                    service: call.service,
                    name: call.name,
                    rules: service?.summary ?? "none",
                    parameters: schema
                )
            )
        }
        return entries
    }
}

/// An entry of the plan, which describes one event at one service under one name.
///
/// Its names are the keys of `json`.
struct PlanEntry: Hashable, Encodable {
    /// The product's prefix.
    var product: String
    /// The module that owns the event.
    var module: String
    /// The event's type, without its module.
    var event: String
    /// The event's title for people.
    var title: String
    /// The team that owns the event.
    var owner: String
    /// The question answered by the event.
    var purpose: String
    /// The service's name.
    var service: String
    /// The event's name at the service.
    var name: String
    /// The service's rules as text.
    var rules: String
    /// The schema of the parameters.
    var parameters: ValueSchema
}
