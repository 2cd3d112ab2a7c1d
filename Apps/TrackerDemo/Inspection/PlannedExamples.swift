import CoreTracker
import SuperApp

/// Tracks the examples of the tracking plan through the products' real trackers, with their modules' own defaults.
enum PlannedExamples {
    /// The events of a module or of a type's name, with their modules' trackers; all for `nil`.
    static func events(named name: String?) -> [(event: any PlannedEvent.Type, tracker: any CoreTracker)] {
        ProductEntry.all.flatMap { product in
            product.catalogs.flatMap { catalog in
                let tracker = product.tracker.scoped(by: catalog.scope)
                return catalog.events.filter { name == nil || name == catalog.module || name == String(describing: $0) }
                    .map { (event: $0, tracker: tracker) }
            }
        }
    }

    /// Tracks the examples of these events; returns how many there are.
    static func track(_ name: String?) -> Int {
        events(named: name).reduce(0) { $0 + track($1.event, by: $1.tracker) }
    }

    private static func track<Event: PlannedEvent>(_ event: Event.Type, by tracker: any CoreTracker) -> Int {
        let examples = Event.plan.examples
        for example in examples { tracker.track(example) }
        return examples.count
    }
}
