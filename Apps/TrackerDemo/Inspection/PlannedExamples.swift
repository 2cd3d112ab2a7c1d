import CoreTracker
import DLCheckout
import DLListing
import DLProductDetail
import DLTracker
import SFGame
import SFLeaderboard
import SFTracker
import TYCheckout
import TYProductDetail
import TYTracker

/// Tracks the examples of the tracking plan through the products' real trackers.
enum PlannedExamples {
    private static let catalogs: [EventCatalog] = [
        .dlListing, .dlProductDetail, .dlCheckout, .sfGame, .sfLeaderboard, .sfTracker, .tyProductDetail, .tyCheckout,
    ]

    /// The events of a module or of a type's name, with their products; all for `nil`.
    static func events(named name: String?) -> [(product: String, event: any PlannedEvent.Type)] {
        catalogs.flatMap { catalog in
            catalog.events.filter { name == nil || name == catalog.module || name == String(describing: $0) }
                .map { (product: catalog.product, event: $0) }
        }
    }

    /// Tracks the examples of these events; returns how many there are.
    static func track(_ name: String?) -> Int {
        events(named: name).reduce(0) { $0 + track($1.event, by: tracker(of: $1.product)) }
    }

    private static func track<Event: PlannedEvent>(_ event: Event.Type, by tracker: any CoreTracker) -> Int {
        let examples = Event.plan.examples
        for example in examples { tracker.track(example) }
        return examples.count
    }

    private static func tracker(of product: String) -> any CoreTracker {
        switch product {
        case Product.dolapLite.rawValue: DLTracker()
        case Product.trendyol.rawValue: TYTracker()
        default: SFTracker()
        }
    }
}
