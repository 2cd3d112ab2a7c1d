public import CoreTracker
public import TYTracker

/// The screen of a product appeared.
public struct TYContentViewed: CoreTrackable {
    /// The product.
    public let product: TYProduct

    /// Creates an event.
    ///
    /// - Parameter product: The product.
    public init(product: TYProduct) {
        self.product = product
    }

    public var services: [EventService] {
        FirebaseEvent("view_item", TYCart(product).firebaseParameters)
        AwesomeTrackingEvent("pdp_view", product.awesomeTrackingParameters)
    }
}

extension TYContentViewed: PlannedEvent {
    public static var plan: EventPlan<TYContentViewed> {
        EventPlan(
            "Product viewed",
            owner: .tyProductDetail,
            purpose: "Which products are looked at.",
            introduced: "1.0",
            examples: TYProduct.examples.map { TYContentViewed(product: $0) }
        )
    }
}
