public import CoreTracker
public import DLTracker

/// The tracker of Dolap Lite's product detail: the product's services, and the feature's own default parameters.
///
/// `DLProductDetailTracker()` delivers through `DeliveryEngine.shared`; nothing is sent until the app opens that
/// engine.
public struct DLProductDetailTracker: FeatureTracker {
    public let product: DLTracker
    public var defaults: EventParameters { .productDetail }

    /// Creates a tracker over the product's tracker.
    public init(_ product: DLTracker = DLTracker()) {
        self.product = product
    }
}

extension EventParameters {
    /// What each event of the product detail carries by default.
    static let productDetail: EventParameters = [.screen("product_detail"), .feature("discovery")]
}
