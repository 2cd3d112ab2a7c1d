public import CoreTracker
public import DLTracker

/// The tracker of Dolap Lite's product list, which adds the feature's default parameters to each event.
///
/// `DLListingTracker()` delivers through `DeliveryEngine.shared`, which sends nothing until the app opens it.
public struct DLListingTracker: FeatureTracker {
    public let product: DLTracker
    public var defaults: EventParameters { .listing }

    /// Creates a tracker.
    ///
    /// - Parameter product: The product's tracker, which sends the events.
    public init(_ product: DLTracker = DLTracker()) {
        self.product = product
    }
}

extension EventParameters {
    /// The default parameters of every event of the product list.
    static let listing: EventParameters = [.screen("listing"), .feature("discovery")]
}
