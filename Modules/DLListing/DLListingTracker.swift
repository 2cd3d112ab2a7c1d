public import CoreTracker
public import DLTracker

/// The tracker of Dolap Lite's list of products: the product's services, and the feature's own default parameters.
///
/// `DLListingTracker()` delivers through `DeliveryEngine.shared`; nothing is sent until the app opens that engine.
public struct DLListingTracker: FeatureTracker {
    public let product: DLTracker
    public var defaults: EventParameters { .listing }

    /// Creates a tracker over the product's tracker.
    public init(_ product: DLTracker = DLTracker()) {
        self.product = product
    }
}

extension EventParameters {
    /// What each event of the list of products carries by default.
    static let listing: EventParameters = [.screen("listing"), .feature("discovery")]
}
