import CoreTracker

/// The event that the figures track: two services with eight parameters each, as a presenter makes it.
struct ShopEvent: CoreTrackable {
    let productID: String
    let name: String
    let category: String
    let listID: String
    let price: Double
    let quantity: Int
    let position: Int
    let isOnSale: Bool

    /// The event with a number of its own, so that no two bodies are alike.
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
        [
            .firebase(FirebaseEvent(name: "view_item", parameters: parameters)),
            .awesomeTracking(AwesomeTrackingEvent(name: "product_viewed", parameters: parameters)),
        ]
    }

    /// The parameters, built for each service anew, as events do whose services take different ones.
    var parameters: EventParameters {
        [
            .itemID: .string(productID), .itemName: .string(name), .itemCategory: .string(category),
            .itemListID: .string(listID), .price: .double(price), .quantity: .int(quantity),
            .index: .int(position), .onSale: .bool(isOnSale),
        ]
    }
}

extension ParameterKey {
    fileprivate static let itemID: ParameterKey = "item_id"
    fileprivate static let itemName: ParameterKey = "item_name"
    fileprivate static let itemCategory: ParameterKey = "item_category"
    fileprivate static let itemListID: ParameterKey = "item_list_id"
    fileprivate static let price: ParameterKey = "price"
    fileprivate static let quantity: ParameterKey = "quantity"
    fileprivate static let index: ParameterKey = "index"
    fileprivate static let onSale: ParameterKey = "on_sale"
}
