public import CoreTracker
public import TYTracker

/// The user opened the reviews of a product.
///
/// The event is sent only to AwesomeTracking.
public struct TYReviewsOpened: CoreTrackable {
    /// The product.
    public let product: TYProduct

    /// Creates an event.
    ///
    /// - Parameter product: The product.
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
