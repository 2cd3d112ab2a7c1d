public import CoreTracker
public import TYTracker

/// An order was placed.
public struct TYPurchased: CoreTrackable {
    /// The order's number; an empty one is sent to no service.
    public let orderNumber: String
    /// What was bought.
    public let cart: TYCart
    /// How it travels; `nil` where nothing was chosen.
    public let shipping: TYShipping?
    /// The coupon's code; `nil` for none.
    public let coupon: String?

    /// Creates the event.
    public init(orderNumber: String, cart: TYCart, shipping: TYShipping? = nil, coupon: String? = nil) {
        self.orderNumber = orderNumber
        self.cart = cart
        self.shipping = shipping
        self.coupon = coupon
    }

    public var services: [EventService] {
        [
            .firebase(FirebaseEvent(name: "purchase", parameters: firebaseParameters)),
            .awesomeTracking(AwesomeTrackingEvent(name: "purchase_complete", parameters: awesomeTrackingParameters)),
        ]
    }

    private var firebaseParameters: EventParameters {
        var parameters = EventParameters()
        parameters[.transactionID] = orderNumber.isEmpty ? nil : .string(orderNumber)
        parameters[.shipping] = shipping.map { .double($0.price) }
        parameters[.coupon] = coupon.map { .string($0) }
        return parameters.merging(cart.firebaseParameters)
    }

    private var awesomeTrackingParameters: EventParameters {
        var parameters = EventParameters()
        parameters[.orderNumber] = orderNumber.isEmpty ? nil : .string(orderNumber)
        parameters[.delivery] = shipping.map { .string($0.kind.rawValue) }
        parameters[.shippingPrice] = shipping.map { .double($0.price) }
        parameters[.couponCode] = coupon.map { .string($0) }
        return parameters.merging(cart.awesomeTrackingParameters)
    }
}

extension TYPurchased: PlannedEvent {
    public static var plan: EventPlan<TYPurchased> {
        EventPlan(
            "Order placed",
            owner: .tyCheckout,
            purpose: "What is sold, for how much, and with which coupon.",
            examples: TYCart.examples.flatMap { cart in
                [
                    TYPurchased(orderNumber: "n-1", cart: cart),
                    TYPurchased(orderNumber: "n-2", cart: cart, shipping: TYShipping(.express), coupon: "WELCOME"),
                ]
            }
        )
    }
}
