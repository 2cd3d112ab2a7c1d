public import CoreTracker
public import DLTracker

/// A product's own screen came up.
public struct DLProductViewed: CoreTrackable {
    /// The product.
    public let product: DLProduct

    /// Creates the event.
    public init(product: DLProduct) {
        self.product = product
    }

    public var services: [EventService] {
        FirebaseEvent("view_item", DLBasket(product).firebaseParameters)
        AwesomeTrackingEvent("product_viewed", product.awesomeTrackingParameters)
    }
}

extension DLProductViewed: PlannedEvent {
    public static var plan: EventPlan<DLProductViewed> {
        EventPlan(
            "Product viewed",
            owner: .dlProductDetail,
            purpose: "Which products are looked at.",
            introduced: "1.0",
            examples: DLProduct.examples.map { DLProductViewed(product: $0) }
        )
    }
}
