public import Analytics
import CoreTracker
public import DLTracker

/// The steps of the checkout.
extension Journey.Event {
    /// The checkout was opened.
    public static func checkoutOpened(_ basket: DLBasket) -> Self {
        Self(name: "checkoutOpened", properties: ["itemCount": .int(basket.lines.count)])
    }

    /// A payment was chosen.
    public static func paymentChosen(_ payment: DLPayment) -> Self {
        Self(name: "paymentChosen", properties: ["payment": .string(payment.rawValue)])
    }

    /// An order was placed.
    public static func orderPlaced(_ basket: DLBasket) -> Self {
        Self(name: "orderPlaced", properties: ["itemCount": .int(basket.lines.count)])
    }
}
