public import CoreTracker
public import DLTracker

/// A product was taken out of the basket.
public struct DLProductRemovedFromBasket: CoreTrackable {
    /// The product.
    public let product: DLProduct
    /// How many pieces, at least 1.
    public let quantity: Int

    /// Creates the event; a quantity below 1 is taken as 1.
    public init(product: DLProduct, quantity: Int = 1) {
        self.product = product
        self.quantity = max(1, quantity)
    }

    public var services: [EventService] {
        let parameters = DLBasket(product, quantity: quantity).firebaseParameters
        return [
            .firebase(FirebaseEvent(name: "remove_from_cart", parameters: parameters)),
            .awesomeTracking(
                AwesomeTrackingEvent(
                    name: "basket_item_removed",
                    parameters: product.awesomeTrackingParameters.merging([.quantity: .int(quantity)])
                )
            ),
        ]
    }
}

extension DLProductRemovedFromBasket: PlannedEvent {
    public static var plan: EventPlan<DLProductRemovedFromBasket> {
        EventPlan(
            "Product removed from basket",
            owner: .dlProductDetail,
            purpose: "Which products are given up again.",
            examples: DLProduct.examples.map { DLProductRemovedFromBasket(product: $0) }
        )
    }
}
