public import CoreTracker
public import DLTracker

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
        FirebaseEvent("add_payment_info", basket.firebaseParameters, [.paymentType(payment)])
        AwesomeTrackingEvent("payment_selected", [.payment(payment)])
    }
}

extension DLPaymentSelected: PlannedEvent {
    public static var plan: EventPlan<DLPaymentSelected> {
        EventPlan(
            "Payment selected",
            owner: .dlCheckout,
            purpose: "Which ways of paying are chosen before an order.",
            introduced: "1.0",
            examples: DLPayment.allCases.flatMap { payment in
                DLBasket.examples.map { DLPaymentSelected(basket: $0, payment: payment) }
            }
        )
    }
}
