public import CoreTracker
public import TYTracker

/// The tracker of Trendyol's product detail: the product's services, and the feature's own default parameters.
///
/// `TYProductDetailTracker()` delivers through `DeliveryEngine.shared`; nothing is sent until the app opens that
/// engine.
public struct TYProductDetailTracker: FeatureTracker {
    public let product: TYTracker
    public var defaults: EventParameters { .productDetail }

    /// Creates a tracker over the product's tracker.
    public init(_ product: TYTracker = TYTracker()) {
        self.product = product
    }
}

extension EventParameters {
    /// What each event of the product detail carries by default.
    static let productDetail: EventParameters = [.screen("product_detail"), .feature("discovery")]
}
