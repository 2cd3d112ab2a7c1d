public import Analytics
import CoreTracker
public import DLTracker

/// The analytics steps of the checkout.
extension Journey.Event {
    /// The user opened the checkout.
    public static func checkoutOpened(_ basket: DLBasket) -> Self {
        Self(name: "checkoutOpened", properties: ["itemCount": .int(basket.lines.count)])
    }

    /// The user selected a payment method.
    public static func paymentChosen(_ payment: DLPayment) -> Self {
        Self(name: "paymentChosen", properties: ["payment": .string(payment.rawValue)])
    }

    /// The user placed an order.
    public static func orderPlaced(_ basket: DLBasket) -> Self {
        Self(name: "orderPlaced", properties: ["itemCount": .int(basket.lines.count)])
    }
}
