public import CoreTracker
public import DLTracker

/// The user removed a product from the basket.
public struct DLProductRemovedFromBasket: CoreTrackable {
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
        FirebaseEvent("remove_from_cart", DLBasket(product, quantity: quantity).firebaseParameters)
        AwesomeTrackingEvent("basket_item_removed", product.awesomeTrackingParameters, [.quantity(quantity)])
    }
}

extension DLProductRemovedFromBasket: PlannedEvent {
    public static var plan: EventPlan<DLProductRemovedFromBasket> {
        EventPlan(
            "Product removed from basket",
            owner: .dlProductDetail,
            purpose: "Which products are given up again.",
            introduced: "1.0",
            examples: DLProduct.examples.map { DLProductRemovedFromBasket(product: $0) }
        )
    }
}
