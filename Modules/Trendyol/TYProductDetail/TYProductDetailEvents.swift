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
            purpose: "Which products are viewed.",
            introduced: "1.0",
            examples: TYProduct.examples.map { TYContentViewed(product: $0) }
        )
    }
}

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

/// The user added a product to the cart, or removed it.
public struct TYCartChanged: CoreTrackable {
    /// A direction of a cart change.
    public enum Change: String, ParameterRepresentable, Hashable, CaseIterable {
        /// Pieces were added to the cart.
        case added = "add"
        /// Pieces were removed from the cart.
        case removed = "remove"
    }

    /// Whether pieces were added or removed.
    public let change: Change
    /// The product.
    public let product: TYProduct
    /// The number of pieces, at least 1.
    public let quantity: Int

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - change: Whether pieces were added or removed.
    ///   - product: The product.
    ///   - quantity: The number of pieces. Values below 1 count as 1.
    public init(_ change: Change, product: TYProduct, quantity: Int = 1) {
        self.change = change
        self.product = product
        self.quantity = max(1, quantity)
    }

    public var services: [EventService] {
        let name = change == .added ? "add_to_cart" : "remove_from_cart"
        FirebaseEvent(name, TYCart(product, quantity: quantity).firebaseParameters)
        AwesomeTrackingEvent(
            "pdp_cart_change",
            product.awesomeTrackingParameters,
            merging: [.action(change), .count(quantity)]
        )
    }
}

extension TYCartChanged: PlannedEvent {
    public static var plan: EventPlan<TYCartChanged> {
        EventPlan(
            "Cart changed",
            owner: .tyProductDetail,
            purpose: "How many product views lead to the cart, and which products are removed from it.",
            introduced: "1.0",
            examples: TYProduct.examples.flatMap { product in
                TYCartChanged.Change.allCases.map { TYCartChanged($0, product: product) }
            }
        )
    }
}
