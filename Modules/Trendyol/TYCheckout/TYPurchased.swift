public import CoreTracker
public import TYTracker

/// The user placed an order.
public struct TYPurchased: CoreTrackable {
    /// The order's number, or `nil` if it was empty; the event is then sent without it.
    public let orderNumber: String?
    /// The products that were bought.
    public let cart: TYCart
    /// The delivery method and its price, or `nil` if the user selected none.
    public let shipping: TYShipping?
    /// The coupon's code, or `nil` if there is none.
    public let coupon: String?

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - orderNumber: The order's number. An empty string counts as `nil`.
    ///   - cart: The products that were bought.
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
        FirebaseEvent("purchase", order, cart.firebaseParameters, options: .critical)
        let row: EventParameters = [
            .orderNumber(orderNumber), .delivery(shipping?.kind), .shippingPrice(shipping?.price), .couponCode(coupon),
        ]
        AwesomeTrackingEvent("purchase_complete", row, cart.awesomeTrackingParameters, options: .critical)
    }
}

extension TYPurchased: PlannedEvent {
    public static var plan: EventPlan<TYPurchased> {
        EventPlan(
            "Order placed",
            owner: .tyCheckout,
            purpose: "What is sold, for how much, and with which coupon.",
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
