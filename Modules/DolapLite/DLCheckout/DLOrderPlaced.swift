public import CoreTracker
public import DLTracker

/// The user placed an order.
public struct DLOrderPlaced: CoreTrackable {
    /// The order's id, or `nil` if it was empty; the event is then sent without it.
    public let orderID: String?
    /// The products that were bought.
    public let basket: DLBasket

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - orderID: The order's id. An empty string counts as `nil`.
    ///   - basket: The products that were bought.
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
