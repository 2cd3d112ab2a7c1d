public import ACTracker
public import CoreTracker

/// The tracker of Acme's basket, which adds the feature's default parameters to each event.
public struct ACBasketTracker: FeatureTracker {
    public let product: ACTracker
    public var defaults: EventParameters { [.screen("basket")] }

    /// Creates a tracker over the product's tracker.
    public init(_ product: ACTracker = ACTracker()) {
        self.product = product
    }
}
