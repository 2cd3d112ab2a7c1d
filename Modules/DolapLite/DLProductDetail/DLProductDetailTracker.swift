public import CoreTracker
public import DLTracker

/// The tracker of Dolap Lite's product detail, which adds the feature's default parameters to each event.
///
/// `DLProductDetailTracker()` delivers through `DeliveryEngine.shared`, which sends nothing until the app opens it.
public struct DLProductDetailTracker: FeatureTracker {
    public let product: DLTracker
    public var defaults: EventParameters { .productDetail }

    /// Creates a tracker.
    ///
    /// - Parameter product: The product's tracker, which sends the events.
    public init(_ product: DLTracker = DLTracker()) {
        self.product = product
    }
}

extension EventParameters {
    /// The default parameters of every event of the product detail.
    static let productDetail: EventParameters = [.screen("product_detail"), .feature("discovery")]
}
