public import ACTracker
public import CoreTracker

/// The tracker of Acme's basket.
///
/// It adds the feature's default parameters to each event. `ACBasketTracker()` delivers through
/// `DeliveryEngine.shared`, which sends nothing until the app opens it.
public struct ACBasketTracker: FeatureTracker {
    public let product: ACTracker
    public var defaults: EventParameters { .acBasket }

    /// Creates a tracker.
    ///
    /// - Parameter product: The product's tracker, which sends the events.
    public init(_ product: ACTracker = ACTracker()) {
        self.product = product
    }
}

extension EventParameters {
    /// The default parameters of every event of the basket.
    static let acBasket: EventParameters = [.screen("basket")]
}
