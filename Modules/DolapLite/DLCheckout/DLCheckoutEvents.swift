public import Analytics
public import CoreTracker
public import DLTracker

/// The checkout appeared with a basket.
public struct DLCheckoutStarted: CoreTrackable {
    /// The products to buy.
    public let basket: DLBasket

    /// Creates an event.
    ///
    /// - Parameter basket: The products to buy.
    public init(basket: DLBasket) {
        self.basket = basket
    }

    public var services: [EventService] {
        FirebaseEvent("begin_checkout", basket.firebaseParameters)
        AwesomeTrackingEvent("checkout_started", basket.awesomeTrackingParameters)
    }
}

extension DLCheckoutStarted: PlannedEvent {
    public static var plan: EventPlan<DLCheckoutStarted> {
        EventPlan(
            "Checkout started",
            owner: .dlCheckout,
            purpose: "How many visitors of the checkout place an order.",
            introduced: "1.0",
            examples: DLBasket.examples.map { DLCheckoutStarted(basket: $0) }
        )
    }
}

/// The user selected a payment method.
public struct DLPaymentSelected: CoreTrackable {
    /// The products to buy.
    public let basket: DLBasket
    /// The selected payment method.
    public let payment: DLPayment

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - basket: The products to buy.
    ///   - payment: The selected payment method.
    public init(basket: DLBasket, payment: DLPayment) {
        self.basket = basket
        self.payment = payment
    }

    public var services: [EventService] {
        FirebaseEvent("add_payment_info", basket.firebaseParameters, merging: [.paymentType(payment)])
        AwesomeTrackingEvent("payment_selected", [.payment(payment)])
    }
}

extension DLPaymentSelected: PlannedEvent {
    public static var plan: EventPlan<DLPaymentSelected> {
        EventPlan(
            "Payment selected",
            owner: .dlCheckout,
            purpose: "Which payment methods are selected before an order.",
            introduced: "1.0",
            examples: DLPayment.allCases.flatMap { payment in
                DLBasket.examples.map { DLPaymentSelected(basket: $0, payment: payment) }
            }
        )
    }
}

/// A payment method of Dolap Lite.
public enum DLPayment: String, ParameterRepresentable, Hashable, CaseIterable {
    /// A credit or debit card.
    case card
    /// The balance that the user earned by selling.
    case wallet
    /// Cash on delivery.
    case cash
}

/// The user placed an order.
public struct DLOrderPlaced: CoreTrackable {
    /// The order's id, or `nil` if it was empty; the event is then sent without it.
    public let orderID: String?
    /// The ordered products.
    public let basket: DLBasket

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - orderID: The order's id. An empty string counts as `nil`.
    ///   - basket: The ordered products.
    public init(orderID: String, basket: DLBasket) {
        self.orderID = orderID.isEmpty ? nil : orderID
        self.basket = basket
    }

    public var services: [EventService] {
        FirebaseEvent("purchase", [.transactionID(orderID)], merging: basket.firebaseParameters, options: .critical)
        AwesomeTrackingEvent(
            "order_placed",
            [.orderID(orderID)],
            merging: basket.awesomeTrackingParameters,
            options: .critical
        )
    }
}

extension DLOrderPlaced: PlannedEvent {
    public static var plan: EventPlan<DLOrderPlaced> {
        EventPlan(
            "Order placed",
            owner: .dlCheckout,
            purpose: "Which products are sold, and for how much.",
            introduced: "1.0",
            examples: DLBasket.examples.map { DLOrderPlaced(orderID: "o-1", basket: $0) }
        )
    }
}

/// The analytics steps of the checkout.
extension Journey.Event {
    /// The user opened the checkout.
    ///
    /// - Parameter basket: The products to buy.
    /// - Returns: The step.
    public static func checkoutOpened(_ basket: DLBasket) -> Self {
        Self(name: "checkoutOpened", properties: ["itemCount": basket.lines.count])
    }

    /// The user selected a payment method.
    ///
    /// - Parameter payment: The payment method.
    /// - Returns: The step.
    public static func paymentChosen(_ payment: DLPayment) -> Self {
        Self(name: "paymentChosen", properties: ["payment": payment.rawValue])
    }

    /// The user placed an order.
    ///
    /// - Parameter basket: The ordered products.
    /// - Returns: The step.
    public static func orderPlaced(_ basket: DLBasket) -> Self {
        Self(name: "orderPlaced", properties: ["itemCount": basket.lines.count])
    }
}
