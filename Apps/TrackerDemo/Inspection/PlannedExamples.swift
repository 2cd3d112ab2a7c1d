import CoreTracker
import SuperApp

/// The examples of the tracking plan, tracked through the products' real trackers with the modules' default parameters.
enum PlannedExamples {
    /// An event of the plan with its catalog and product.
    struct Entry {
        let event: any PlannedEvent.Type
        let catalog: EventCatalog
        let product: ProductEntry
    }

    /// Returns the events of a module or with a type name, or all events for `nil`.
    static func events(named name: String?) -> [Entry] {
        ProductEntry.all.flatMap { product in
            product.catalogs.flatMap { catalog in
                catalog.events.filter { name == nil || name == catalog.module || name == String(describing: $0) }
                    .map { Entry(event: $0, catalog: catalog, product: product) }
            }
        }
    }

    /// Tracks the examples of the given events.
    ///
    /// - Returns: The number of examples.
    static func track(_ name: String?, vendorService: any VendorService) -> Int {
        events(named: name).reduce(0) { count, entry in
            let tracker = entry.product.tracker(vendorService: vendorService).scoped(by: entry.catalog.scope)
            return count + track(entry.event, by: tracker)
        }
    }

    private static func track<Event: PlannedEvent>(_ event: Event.Type, by tracker: any CoreTracker) -> Int {
        let examples = Event.plan.examples
        for example in examples { tracker.track(example) }
        return examples.count
    }
}
