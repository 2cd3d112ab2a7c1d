public import CoreTracker
public import SFTracker

/// The tracker of Starfield's game: the product's services, and the feature's own default parameters.
///
/// `SFGameTracker()` delivers through `DeliveryEngine.shared`; nothing is sent until the app opens that engine.
public struct SFGameTracker: FeatureTracker {
    public let product: SFTracker
    public var defaults: EventParameters { .game }

    /// Creates a tracker over the product's tracker.
    public init(_ product: SFTracker = SFTracker()) {
        self.product = product
    }
}

extension EventParameters {
    /// What each event of the game carries by default.
    static let game: EventParameters = [.screen("game"), .feature("game")]
}
