public import CoreTracker
public import DLTracker

/// An order was placed.
public struct DLOrderPlaced: CoreTrackable {
    /// The order's id; an empty one is sent to no service.
    public let orderID: String
    /// What was bought.
    public let basket: DLBasket

    /// Creates the event.
    public init(orderID: String, basket: DLBasket) {
        self.orderID = orderID
        self.basket = basket
    }

    public var services: [EventService] {
        [
            .firebase(
                FirebaseEvent(
                    name: "purchase",
                    parameters: identified(by: .transactionID).merging(basket.firebaseParameters)
                )
            ),
            .awesomeTracking(
                AwesomeTrackingEvent(
                    name: "order_placed",
                    parameters: identified(by: .orderID).merging(basket.awesomeTrackingParameters)
                )
            ),
        ]
    }

    private func identified(by key: ParameterKey) -> EventParameters {
        orderID.isEmpty ? [:] : [key: .string(orderID)]
    }
}

extension DLOrderPlaced: PlannedEvent {
    public static var plan: EventPlan<DLOrderPlaced> {
        EventPlan(
            "Order placed",
            owner: .dlCheckout,
            purpose: "What is sold, and for how much.",
            examples: DLBasket.examples.map { DLOrderPlaced(orderID: "o-1", basket: $0) }
        )
    }
}
