public import CoreTracker
public import SFTracker

/// The tracker of Starfield's leaderboard, which adds the feature's default parameters to each event.
///
/// `SFLeaderboardTracker()` delivers through `DeliveryEngine.shared`, which sends nothing until the app opens it.
public struct SFLeaderboardTracker: FeatureTracker {
    public let product: SFTracker
    public var defaults: EventParameters { .leaderboard }

    /// Creates a tracker.
    ///
    /// - Parameter product: The product's tracker, which sends the events.
    public init(_ product: SFTracker = SFTracker()) {
        self.product = product
    }
}

extension EventParameters {
    /// The default parameters of every event of the leaderboard.
    static let leaderboard: EventParameters = [.screen("leaderboard"), .feature("leaderboard")]
}
