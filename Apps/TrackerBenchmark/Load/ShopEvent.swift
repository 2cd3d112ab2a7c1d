import CoreTracker
import DLTracker
import EventDelivery

/// The tracked event of the figures, created as by a presenter: two services with eight parameters each.
struct ShopEvent: CoreTrackable {
    let productID: String
    let name: String
    let category: String
    let listID: String
    let price: Double
    let quantity: Int
    let position: Int
    let isOnSale: Bool

    /// Creates an event with a number that makes its body unique.
    init(number: Int) {
        productID = "p-\(number)"
        name = "Running shoes, blue"
        category = "apparel.shoes.sport"
        listID = "search"
        price = 89.5
        quantity = 1
        position = number & 63
        isOnSale = false
    }

    var services: [EventService] {
        FirebaseEvent("view_item", parameters)
        AwesomeTrackingEvent("product_viewed", parameters)
    }

    /// The parameters, built again for each service, as in events whose services take different parameters.
    var parameters: EventParameters {
        [
            .itemID(productID), .itemName(name), .itemCategory(category), .itemListID(listID), .price(price),
            .quantity(quantity), .index(position), .onSale(isOnSale),
        ]
    }
}

/// The same event with one list of parameters for both services.
struct SharedListEvent: CoreTrackable {
    private let event: ShopEvent

    /// Creates an event with a number that makes its body unique.
    init(number: Int) {
        event = ShopEvent(number: number)
    }

    var services: [EventService] {
        let parameters = event.parameters
        FirebaseEvent("view_item", parameters)
        AwesomeTrackingEvent("product_viewed", parameters)
    }
}

extension EventParameter {
    fileprivate static let itemID = Key<String>("item_id")
    fileprivate static let itemName = Key<String>("item_name")
    fileprivate static let itemCategory = Key<String>("item_category")
    fileprivate static let itemListID = Key<String>("item_list_id")
    fileprivate static let price = Key<Double>("price")
    fileprivate static let quantity = Key<Int>("quantity")
    fileprivate static let index = Key<Int>("index")
    fileprivate static let onSale = Key<Bool>("on_sale")
}

extension ShopEvent {
    /// An identity for events outside an engine.
    static let identity = Identity(
        deviceID: "0123456789abcdef0123456789abcdef",
        sessionID: "01920000-0000-7000-8000-000000000001",
        sessionStart: Timestamp(microseconds: 1_790_000_000_000_000)
    )

    /// A time for events outside an engine.
    static let moment = Timestamp(microseconds: 1_790_000_001_234_567)

    /// Returns the event for the destination of its first or second service.
    func outgoing(_ index: Int) -> OutgoingEvent {
        let event = services[index].event
        return OutgoingEvent(
            id: EventID(high: 0x0192_0000_0000_7000, low: 0x8000_0000_0000_0001),
            name: event.name,
            parameters: event.parameters,
            defaults: index == 0 ? [:] : DLSettings().awesomeTrackingDefaults,
            time: ShopEvent.moment,
            identity: ShopEvent.identity,
            sequence: 1
        )
    }
}

/// A tracker whose services do nothing.
///
/// It measures the cost of the event.
struct IdleTracker: CoreTracker, FirebaseService, AwesomeTrackingService, VendorService {
    var firebaseService: any FirebaseService { self }
    var awesomeTrackingService: any AwesomeTrackingService { self }
    var vendorService: any VendorService { self }

    func track(_ event: FirebaseEvent) {}
    func track(_ event: AwesomeTrackingEvent) {}
    func track(_ event: VendorEvent) {}
}
