public import CoreTracker
public import TYTracker

/// The tracker of Trendyol's checkout: the product's services, and the feature's own default parameters.
///
/// `TYCheckoutTracker()` delivers through `DeliveryEngine.shared`; nothing is sent until the app opens that engine.
public struct TYCheckoutTracker: FeatureTracker {
    public let product: TYTracker
    public var defaults: EventParameters { .checkout }

    /// Creates a tracker over the product's tracker.
    public init(_ product: TYTracker = TYTracker()) {
        self.product = product
    }
}

extension EventParameters {
    /// What each event of the checkout carries by default.
    static let checkout: EventParameters = [.screen("checkout"), .feature("checkout")]
}
