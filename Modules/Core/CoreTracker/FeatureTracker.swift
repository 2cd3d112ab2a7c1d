/// A tracker of a feature: the services of its product's tracker, and the feature's own default parameters.
///
/// A feature declares two members and inherits the others:
///
/// ```swift
/// public struct DLListingTracker: FeatureTracker {
///     public let product: DLTracker
///     public var defaults: EventParameters { .listing }
///
///     public init(_ product: DLTracker = DLTracker()) {
///         self.product = product
///     }
/// }
/// ```
///
/// `DLListingTracker(DLTracker(on: engine))` tracks to another engine.
public protocol FeatureTracker: CoreTracker {
    /// The tracker of the feature's product.
    associatedtype Product: CoreTracker
    /// The product's tracker.
    ///
    /// Its services receive the feature's events.
    var product: Product { get }
    /// The feature's default parameters, read inside each `track`.
    ///
    /// They override the default parameters of the product's tracker.
    var defaults: EventParameters { get }
}

extension FeatureTracker {
    /// The product's Firebase service.
    public var firebaseService: any FirebaseService { product.firebaseService }
    /// The product's AwesomeTracking service.
    public var awesomeTrackingService: any AwesomeTrackingService { product.awesomeTrackingService }
    /// The product's vendor service.
    public var vendorService: any VendorService { product.vendorService }
    /// The default parameters of the product's tracker, overlaid by the feature's.
    public var allDefaults: EventParameters { product.allDefaults.merging(defaults) }
}
