public import CoreTracker
public import DLTracker

/// The screen of a product appeared.
public struct DLProductViewed: CoreTrackable {
    /// The product.
    public let product: DLProduct

    /// Creates an event.
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
