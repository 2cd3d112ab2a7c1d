import CoreTracker
import Locks

/// The floor of a call: two entries with the names, keys and values of both services, appended under a lock.
final class HandWrittenBuffer: Sendable {
    private struct Entry: Sendable {
        let name: String
        let parameters: [(key: String, value: ParameterValue)]
    }

    private let entries: Mutex<[Entry]>

    /// Creates a buffer with space for a number of events.
    init(capacity: Int) {
        var entries: [Entry] = []
        entries.reserveCapacity(2 * capacity)
        self.entries = Mutex(entries)
    }

    /// Appends an event.
    func append(_ event: ShopEvent) {
        let firebase = Entry(name: "view_item", parameters: HandWrittenBuffer.parameters(of: event))
        let awesomeTracking = Entry(name: "product_viewed", parameters: HandWrittenBuffer.parameters(of: event))
        entries.withLock {
            $0.append(firebase)
            $0.append(awesomeTracking)
        }
    }

    private static func parameters(of event: ShopEvent) -> [(key: String, value: ParameterValue)] {
        [
            ("item_id", .string(event.productID)), ("item_name", .string(event.name)),
            ("item_category", .string(event.category)), ("item_list_id", .string(event.listID)),
            ("price", .double(event.price)), ("quantity", .int(event.quantity)),
            ("index", .int(event.position)), ("on_sale", .bool(event.isOnSale)),
        ]
    }
}
