public import CoreTracker
public import DLTracker

/// An order was placed.
public struct DLOrderPlaced: CoreTrackable {
    /// The order's id; `nil` for none, which is sent to no service.
    public let orderID: String?
    /// What was bought.
    public let basket: DLBasket

    /// Creates the event; an empty id is none.
    public init(orderID: String, basket: DLBasket) {
        self.orderID = orderID.isEmpty ? nil : orderID
        self.basket = basket
    }

    public var services: [EventService] {
        FirebaseEvent("purchase", [.transactionID(orderID)], basket.firebaseParameters, options: .critical)
        AwesomeTrackingEvent("order_placed", [.orderID(orderID)], basket.awesomeTrackingParameters, options: .critical)
    }
}

extension DLOrderPlaced: PlannedEvent {
    public static var plan: EventPlan<DLOrderPlaced> {
        EventPlan(
            "Order placed",
            owner: .dlCheckout,
            purpose: "What is sold, and for how much.",
            introduced: "1.0",
            examples: DLBasket.examples.map { DLOrderPlaced(orderID: "o-1", basket: $0) }
        )
    }
}
