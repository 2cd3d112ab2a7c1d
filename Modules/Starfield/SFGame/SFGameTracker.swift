public import CoreTracker
public import SFTracker

/// The tracker of Starfield's game, which adds the feature's default parameters to each event.
///
/// `SFGameTracker()` delivers through `DeliveryEngine.shared`, which sends nothing until the app opens it.
public struct SFGameTracker: FeatureTracker {
    public let product: SFTracker
    public var defaults: EventParameters { .game }

    /// Creates a tracker.
    ///
    /// - Parameter product: The product's tracker, which sends the events.
    public init(_ product: SFTracker = SFTracker()) {
        self.product = product
    }
}

extension EventParameters {
    /// The default parameters of every event of the game.
    static let game: EventParameters = [.screen("game"), .feature("game")]
}
