public import CoreTracker
public import DLTracker

/// The user added a product to the basket.
public struct DLProductAddedToBasket: CoreTrackable {
    /// The product.
    public let product: DLProduct
    /// How many pieces, at least 1.
    public let quantity: Int

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - product: The product.
    ///   - quantity: How many pieces. Values below 1 count as 1.
    public init(product: DLProduct, quantity: Int = 1) {
        self.product = product
        self.quantity = max(1, quantity)
    }

    public var services: [EventService] {
        FirebaseEvent("add_to_cart", DLBasket(product, quantity: quantity).firebaseParameters)
        AwesomeTrackingEvent("basket_item_added", product.awesomeTrackingParameters, [.quantity(quantity)])
    }
}

extension DLProductAddedToBasket: PlannedEvent {
    public static var plan: EventPlan<DLProductAddedToBasket> {
        EventPlan(
            "Product added to basket",
            owner: .dlProductDetail,
            purpose: "How many views of a product lead to the basket.",
            introduced: "1.0",
            examples: DLProduct.examples.map { DLProductAddedToBasket(product: $0, quantity: 2) }
        )
    }
}
