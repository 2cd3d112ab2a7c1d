public import CoreTracker
public import TYTracker

/// The tracker of Trendyol's checkout, which adds the feature's default parameters to each event.
///
/// `TYCheckoutTracker()` delivers through `DeliveryEngine.shared`, which sends nothing until the app opens it.
public struct TYCheckoutTracker: FeatureTracker {
    public let product: TYTracker
    public var defaults: EventParameters { .checkout }

    /// Creates a tracker.
    ///
    /// - Parameter product: The product's tracker, which sends the events.
    public init(_ product: TYTracker = TYTracker()) {
        self.product = product
    }
}

extension EventParameters {
    /// The default parameters of every event of the checkout.
    static let checkout: EventParameters = [.screen("checkout"), .feature("checkout")]
}
