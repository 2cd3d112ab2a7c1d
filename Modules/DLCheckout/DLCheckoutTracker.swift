public import CoreTracker
public import DLTracker

/// The tracker of Dolap Lite's checkout: the product's services, and the feature's own default parameters.
///
/// `DLCheckoutTracker()` delivers through `DeliveryEngine.shared`; nothing is sent until the app opens that engine.
public struct DLCheckoutTracker: FeatureTracker {
    public let product: DLTracker
    public var defaults: EventParameters { .checkout }

    /// Creates a tracker over the product's tracker.
    public init(_ product: DLTracker = DLTracker()) {
        self.product = product
    }
}

extension EventParameters {
    /// What each event of the checkout carries by default.
    static let checkout: EventParameters = [.screen("checkout"), .feature("checkout")]
}
