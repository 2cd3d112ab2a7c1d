public import CoreTracker
public import TYTracker

/// An order was placed.
public struct TYPurchased: CoreTrackable {
    /// The order's number; `nil` for none, which is sent to no service.
    public let orderNumber: String?
    /// What was bought.
    public let cart: TYCart
    /// How it travels; `nil` where nothing was chosen.
    public let shipping: TYShipping?
    /// The coupon's code; `nil` for none.
    public let coupon: String?

    /// Creates the event; an empty number is none.
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
