import CoreTracker

/// The event that the figures track, created as by a presenter: two services with eight parameters each.
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
