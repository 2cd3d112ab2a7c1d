public import CoreTracker
public import DLTracker

/// The user liked a product.
public struct DLProductLiked: CoreTrackable {
    /// The product.
    public let product: DLProduct

    /// Creates an event.
    ///
    /// - Parameter product: The product.
    public init(product: DLProduct) {
        self.product = product
    }

    public var services: [EventService] {
        FirebaseEvent("add_to_wishlist", DLBasket(product).firebaseParameters)
        AwesomeTrackingEvent("product_liked", product.awesomeTrackingParameters)
        VendorEvent(.braze, "product_liked", product.awesomeTrackingParameters)
    }
}

extension DLProductLiked: PlannedEvent {
    public static var plan: EventPlan<DLProductLiked> {
        EventPlan(
            "Product liked",
            owner: .dlProductDetail,
            purpose: "Which products users want to come back to.",
            introduced: "1.0",
            examples: DLProduct.examples.map { DLProductLiked(product: $0) }
        )
    }
}
