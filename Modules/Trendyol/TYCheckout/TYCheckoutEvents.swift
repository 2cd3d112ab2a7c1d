public import CoreTracker
public import TYTracker

// Completion lists these after `tracker.track(.`

extension CoreTrackable where Self == TYCheckoutViewed {
    /// The checkout appeared with a cart.
    ///
    /// - Parameter cart: The products to buy.
    /// - Returns: The event.
    public static func checkoutViewed(_ cart: TYCart) -> Self { Self(cart: cart) }
}

extension CoreTrackable where Self == TYShippingSelected {
    /// The user selected how the order is delivered.
    ///
    /// - Parameters:
    ///   - shipping: The selected delivery method and its price.
    ///   - cart: The products to buy.
    /// - Returns: The event.
    public static func shippingSelected(_ shipping: TYShipping, for cart: TYCart) -> Self {
        Self(cart: cart, shipping: shipping)
    }
}

extension CoreTrackable where Self == TYPurchased {
    /// The shop accepted an order.
    ///
    /// - Parameters:
    ///   - cart: The bought products.
    ///   - orderNumber: The order's number.
    ///   - shipping: The selected delivery method and its price, or `nil` if the user has selected none.
    ///   - coupon: The code of the entered coupon, or `nil` if there is none.
    /// - Returns: The event.
    public static func purchased(
        _ cart: TYCart,
        orderNumber: String,
        shipping: TYShipping?,
        coupon: String?
    ) -> Self {
        Self(orderNumber: orderNumber, cart: cart, shipping: shipping, coupon: coupon)
    }
}

/// The checkout appeared with a cart.
public struct TYCheckoutViewed: CoreTrackable {
    /// The products to buy.
    public let cart: TYCart

    /// Creates an event.
    ///
    /// - Parameter cart: The products to buy.
    public init(cart: TYCart) {
        self.cart = cart
    }

    public var services: [EventService] {
        FirebaseEvent("begin_checkout", cart.firebaseParameters)
        AwesomeTrackingEvent("checkout_view", cart.awesomeTrackingParameters)
    }
}

extension TYCheckoutViewed: PlannedEvent {
    public static var plan: EventPlan<TYCheckoutViewed> {
        EventPlan(
            "Checkout viewed",
            owner: .tyCheckout,
            purpose: "How many visitors of the checkout place an order.",
            introduced: "1.0",
            examples: TYCart.examples.map { TYCheckoutViewed(cart: $0) }
        )
    }
}

/// The user selected how the order is delivered.
public struct TYShippingSelected: CoreTrackable {
    /// The products to buy.
    public let cart: TYCart
    /// The selected delivery method and its price.
    public let shipping: TYShipping

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - cart: The products to buy.
    ///   - shipping: The selected delivery method and its price.
    public init(cart: TYCart, shipping: TYShipping) {
        self.cart = cart
        self.shipping = shipping
    }

    public var services: [EventService] {
        FirebaseEvent("add_shipping_info", cart.firebaseParameters, merging: [.shippingTier(shipping.kind)])
        AwesomeTrackingEvent("checkout_shipping_select", [.delivery(shipping.kind), .shippingPrice(shipping.price)])
    }
}

extension TYShippingSelected: PlannedEvent {
    public static var plan: EventPlan<TYShippingSelected> {
        EventPlan(
            "Shipping selected",
            owner: .tyCheckout,
            purpose: "Which delivery methods are selected, and their prices.",
            introduced: "1.0",
            examples: TYShipping.Kind.allCases.flatMap { kind in
                TYCart.examples.map { TYShippingSelected(cart: $0, shipping: TYShipping(kind, price: 29.9)) }
            }
        )
    }
}

/// A delivery method of Trendyol and its price.
public struct TYShipping: Sendable, Hashable {
    /// A delivery method.
    public enum Kind: String, ParameterRepresentable, Hashable, CaseIterable {
        /// Delivery to the door within days.
        case standard
        /// Delivery to the door on the next day.
        case express
        /// Delivery to a pick-up point.
        case pickUpPoint = "pick_up_point"
    }

    /// The delivery method.
    public let kind: Kind
    /// The price, in the cart's currency.
    public let price: Double

    /// Creates a delivery method with a price.
    ///
    /// - Parameters:
    ///   - kind: The delivery method.
    ///   - price: The price, in the cart's currency.
    public init(_ kind: Kind, price: Double = 0) {
        self.kind = kind
        self.price = price
    }
}

/// The user placed an order.
public struct TYPurchased: CoreTrackable {
    /// The order's number, or `nil` if it was empty; the event is then sent without it.
    public let orderNumber: String?
    /// The ordered products.
    public let cart: TYCart
    /// The delivery method and its price, or `nil` if the user selected none.
    public let shipping: TYShipping?
    /// The coupon's code, or `nil` if there is none.
    public let coupon: String?

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - orderNumber: The order's number. An empty string counts as `nil`.
    ///   - cart: The ordered products.
    ///   - shipping: The delivery method and its price.
    ///   - coupon: The coupon's code.
    public init(orderNumber: String, cart: TYCart, shipping: TYShipping? = nil, coupon: String? = nil) {
        self.orderNumber = orderNumber.isEmpty ? nil : orderNumber
        self.cart = cart
        self.shipping = shipping
        self.coupon = coupon
    }

    public var services: [EventService] {
        let order: EventParameters = [.transactionID(orderNumber), .shipping(shipping?.price), .coupon(coupon)]
        FirebaseEvent("purchase", order, merging: cart.firebaseParameters, options: .critical)
        let row: EventParameters = [
            .orderNumber(orderNumber), .delivery(shipping?.kind), .shippingPrice(shipping?.price), .couponCode(coupon),
        ]
        AwesomeTrackingEvent("purchase_complete", row, merging: cart.awesomeTrackingParameters, options: .critical)
    }
}

extension TYPurchased: PlannedEvent {
    public static var plan: EventPlan<TYPurchased> {
        EventPlan(
            "Order placed",
            owner: .tyCheckout,
            purpose: "Which products are sold, for how much, and with which coupon.",
            introduced: "1.0",
            examples: TYCart.examples.flatMap { cart in
                [
                    TYPurchased(orderNumber: "n-1", cart: cart),
                    TYPurchased(orderNumber: "n-2", cart: cart, shipping: TYShipping(.express), coupon: "WELCOME"),
                ]
            }
        )
    }
}
