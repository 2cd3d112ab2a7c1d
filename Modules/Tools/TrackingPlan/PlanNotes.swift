import CoreTracker
import EventDelivery

/// Additional information for the plan's page: the meanings of keys, and facts about events.
struct PlanNotes {
    /// An allowed value of a key.
    struct AllowedValue: Hashable {
        let value: String
        let meaning: String
    }

    /// The meaning of a key and its allowed values.
    ///
    /// If there are none, any value is allowed.
    struct Key: Hashable {
        let meaning: String
        let values: [AllowedValue]
    }

    /// The facts about an event.
    struct Event: Hashable {
        /// The description of when the event is tracked.
        var occasion: String?
        /// The first release with the event.
        var introduced: String?
        /// The first release in which it is deprecated.
        var deprecated: String?
        /// The type of the event that replaces it.
        var replacement: String?
    }

    /// The location of a key in the plan.
    struct Place {
        let product: String
        let module: String
        let service: String
        /// All products of the plan.
        var products: Set<String>
        /// All services of the plan.
        var services: Set<String>

        /// Returns the distance of a module's declarations, or `nil` if the module belongs to another product.
        func distance(to other: String) -> Int? {
            if other == module { return 0 }
            if other.hasPrefix(product) { return 1 }
            return products.contains { other.hasPrefix($0) } ? nil : 2
        }

        /// Returns whether a meaning starts with the name of another service.
        func isAtOtherService(_ meaning: String) -> Bool {
            guard let name = Place.service(in: meaning), name != service.lowercased() else { return false }
            return services.contains { $0.lowercased() == name }
        }

        /// Returns a meaning without the name of this service at its start.
        func withoutOwnService(_ meaning: String) -> String {
            guard Place.service(in: meaning) == service.lowercased() else { return meaning }
            let rest = meaning.drop { $0 != ":" }.dropFirst().drop { $0 == " " }
            return rest.prefix(1).uppercased() + rest.dropFirst()
        }

        private static func service(in meaning: String) -> String? {
            let name = meaning.prefix { $0.isLetter }
            return meaning.dropFirst(name.count).hasPrefix(": ") ? name.lowercased() : nil
        }
    }

    private let sources: SourceNotes
    private let products: Set<String>
    private let services: Set<String>
    private var events: [String: Event] = [:]

    /// Creates notes on the events of catalogs and on the keys of services.
    init(
        on catalogs: [EventCatalog] = [],
        at services: [CheckedService] = [],
        sources: SourceNotes = SourceNotes()
    ) {
        self.sources = sources
        self.services = Set(services.map(\.destination.lane.service))
        products = Set(catalogs.map(\.product))
        for catalog in catalogs {
            for event in catalog.events {
                events["\(catalog.module).\(event)"] = PlanNotes.event(event, in: catalog.module, sources)
            }
        }
    }

    /// Returns the name of a product, from the comment of its tracker, such as `The tracker of Acme: …`, or its prefix.
    func name(of product: String) -> String {
        let tracker = "\(product)Tracker", start = "The tracker of "
        guard let meaning = sources.meaning(ofType: tracker, in: tracker), meaning.hasPrefix(start) else {
            return product
        }
        return String(meaning.dropFirst(start.count).prefix { !":,.".contains($0) })
    }

    /// Returns the facts about the event of an entry.
    func event(of entry: PlanEntry) -> Event { events["\(entry.module).\(entry.event)"] ?? Event() }

    /// Returns the meaning of a key, by its path such as `items[].price`.
    func key(_ path: String, of entry: PlanEntry) -> Key? {
        let name = path.split(separator: ".").last.map(String.init)?.replacing("[]", with: "") ?? path
        let place = Place(
            product: entry.product,
            module: entry.module,
            service: entry.service,
            products: products,
            services: services
        )
        return sources.key(name, in: place)
    }

    private static func event<Planned: PlannedEvent>(
        _ type: Planned.Type,
        in module: String,
        _ sources: SourceNotes
    ) -> Event {
        let plan = Planned.plan
        return Event(
            occasion: sources.meaning(ofType: String(describing: type), in: module),
            introduced: plan.introduced,
            deprecated: plan.deprecation?.since,
            replacement: plan.deprecation?.replacement.map { String(describing: $0) }
        )
    }
}
