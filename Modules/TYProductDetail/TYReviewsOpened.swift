public import CoreTracker
public import TYTracker

/// The reviews of a product were opened; of interest to AwesomeTracking alone.
public struct TYReviewsOpened: CoreTrackable {
    /// The product.
    public let product: TYProduct

    /// Creates the event.
    public init(product: TYProduct) {
        self.product = product
    }

    public var services: [EventService] {
        AwesomeTrackingEvent("pdp_reviews_open", product.awesomeTrackingParameters)
    }
}

extension TYReviewsOpened: PlannedEvent {
    public static var plan: EventPlan<TYReviewsOpened> {
        EventPlan(
            "Reviews opened",
            owner: .tyProductDetail,
            purpose: "Whether reviews are read before a product goes into the cart.",
            introduced: "1.0",
            examples: TYProduct.examples.map { TYReviewsOpened(product: $0) }
        )
    }
}
