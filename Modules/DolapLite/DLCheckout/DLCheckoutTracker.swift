public import CoreTracker
public import DLTracker

/// The tracker of Dolap Lite's checkout, which adds the feature's default parameters to each event.
///
/// `DLCheckoutTracker()` delivers through `DeliveryEngine.shared`, which sends nothing until the app opens it.
public struct DLCheckoutTracker: FeatureTracker {
    public let product: DLTracker
    public var defaults: EventParameters { .checkout }

    /// Creates a tracker.
    ///
    /// - Parameter product: The product's tracker, which sends the events.
    public init(_ product: DLTracker = DLTracker()) {
        self.product = product
    }
}

extension EventParameters {
    /// The default parameters of every event of the checkout.
    static let checkout: EventParameters = [.screen("checkout"), .feature("checkout")]
}
