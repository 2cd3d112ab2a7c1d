import AwesomeTracking
import CoreTracker
import EventDelivery
import EventTracking
import Foundation
import Measuring

/// The driver of this library, which tracks a typed event for one service.
@main
struct ModularEventTracker: Peer {
    static let note = "a call builds the event and its parameters; a writer stores it; with a barrier after each burst"

    private let tracker = ShopTracker()

    init(in directory: URL) async throws {
        let rows = try ClickHouseConfiguration(endpoint: Endpoint("http://127.0.0.1:9"))
        let destination = ClickHouseDestination(product: "AC", configuration: rows)
        var configuration = DeliveryConfiguration(directory: directory, destinations: [destination])
        configuration.budget.events = 1_000_000
        configuration.budget.bytes = 1_000_000_000
        configuration.log = .custom { _ in }
        try await DeliveryEngine.shared.open(configuration)
    }

    func track(_ event: ShopEvent) { tracker.track(ProductViewed(event: event)) }

    func store() async { await DeliveryEngine.shared.storeBuffered() }

    func close() async -> Int? {
        let lanes = await DeliveryEngine.shared.statistics()
        await DeliveryEngine.shared.close(timeout: .zero)
        return lanes.reduce(0) { $0 + $1.ledger.pending }
    }

    static func main() async throws { try await Driver.measure(Self.self) }
}

private struct ShopTracker: CoreTracker {
    let firebaseService: any FirebaseService = LaneService(product: "AC")
    let awesomeTrackingService: any AwesomeTrackingService = LaneService(product: "AC")
}

private struct ProductViewed: CoreTrackable {
    let event: ShopEvent

    var services: [EventService] {
        AwesomeTrackingEvent(
            "product_viewed",
            [
                "item_id": .string(event.itemID), "item_name": .string(event.itemName),
                "item_category": .string(event.itemCategory), "item_list_id": .string(event.itemListID),
                "price": .double(event.price), "quantity": .int(event.quantity), "index": .int(event.index),
                "on_sale": .bool(event.isOnSale),
            ]
        )
    }
}
