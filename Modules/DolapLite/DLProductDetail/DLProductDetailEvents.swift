public import CoreTracker
public import DLTracker

/// The screen of a product appeared.
public struct DLProductViewed: CoreTrackable {
    /// The product.
    public let product: DLProduct

    /// Creates an event.
    ///
    /// - Parameter product: The product.
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
            purpose: "Which products are viewed.",
            introduced: "1.0",
            examples: DLProduct.examples.map { DLProductViewed(product: $0) }
        )
    }
}

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
            purpose: "Which products users save for later.",
            introduced: "1.0",
            examples: DLProduct.examples.map { DLProductLiked(product: $0) }
        )
    }
}

/// The user added a product to the basket.
public struct DLProductAddedToBasket: CoreTrackable {
    /// The product.
    public let product: DLProduct
    /// The number of pieces, at least 1.
    public let quantity: Int

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - product: The product.
    ///   - quantity: The number of pieces. Values below 1 count as 1.
    public init(product: DLProduct, quantity: Int = 1) {
        self.product = product
        self.quantity = max(1, quantity)
    }

    public var services: [EventService] {
        FirebaseEvent("add_to_cart", DLBasket(product, quantity: quantity).firebaseParameters)
        AwesomeTrackingEvent("basket_item_added", product.awesomeTrackingParameters, merging: [.quantity(quantity)])
    }
}

extension DLProductAddedToBasket: PlannedEvent {
    public static var plan: EventPlan<DLProductAddedToBasket> {
        EventPlan(
            "Product added to basket",
            owner: .dlProductDetail,
            purpose: "How many product views lead to the basket.",
            introduced: "1.0",
            examples: DLProduct.examples.map { DLProductAddedToBasket(product: $0, quantity: 2) }
        )
    }
}

/// The user removed a product from the basket.
public struct DLProductRemovedFromBasket: CoreTrackable {
    /// The product.
    public let product: DLProduct
    /// The number of pieces, at least 1.
    public let quantity: Int

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - product: The product.
    ///   - quantity: The number of pieces. Values below 1 count as 1.
    public init(product: DLProduct, quantity: Int = 1) {
        self.product = product
        self.quantity = max(1, quantity)
    }

    public var services: [EventService] {
        FirebaseEvent("remove_from_cart", DLBasket(product, quantity: quantity).firebaseParameters)
        AwesomeTrackingEvent("basket_item_removed", product.awesomeTrackingParameters, merging: [.quantity(quantity)])
    }
}

extension DLProductRemovedFromBasket: PlannedEvent {
    public static var plan: EventPlan<DLProductRemovedFromBasket> {
        EventPlan(
            "Product removed from basket",
            owner: .dlProductDetail,
            purpose: "Which products are removed from the basket.",
            introduced: "1.0",
            examples: DLProduct.examples.map { DLProductRemovedFromBasket(product: $0) }
        )
    }
}
