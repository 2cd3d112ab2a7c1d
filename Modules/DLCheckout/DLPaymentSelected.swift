public import CoreTracker
public import DLTracker

/// The user chose how to pay.
public struct DLPaymentSelected: CoreTrackable {
    /// What is to be bought.
    public let basket: DLBasket
    /// How it is to be paid.
    public let payment: DLPayment

    /// Creates the event.
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
