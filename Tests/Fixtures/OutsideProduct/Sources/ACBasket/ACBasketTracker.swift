import ACTracker
import CoreTracker

/// The tracker of Acme's basket: the product's services, and the feature's own default parameters.
public struct ACBasketTracker: FeatureTracker {
    public let product: ACTracker
    public var defaults: EventParameters { [.screen("basket")] }

    public init(_ product: ACTracker = ACTracker()) {
        self.product = product
    }
}
