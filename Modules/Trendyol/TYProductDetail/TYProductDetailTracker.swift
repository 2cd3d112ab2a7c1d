public import CoreTracker
public import TYTracker

/// The tracker of Trendyol's product detail, which adds the feature's default parameters to each event.
///
/// `TYProductDetailTracker()` delivers through `DeliveryEngine.shared`, which sends nothing until the app opens it.
public struct TYProductDetailTracker: FeatureTracker {
    public let product: TYTracker
    public var defaults: EventParameters { .productDetail }

    /// Creates a tracker.
    ///
    /// - Parameter product: The product's tracker, which sends the events.
    public init(_ product: TYTracker = TYTracker()) {
        self.product = product
    }
}

extension EventParameters {
    /// The default parameters of every event of the product detail.
    static let productDetail: EventParameters = [.screen("product_detail"), .feature("discovery")]
}
