public import CoreTracker
public import SFTracker

/// The tracker of Starfield's leaderboard: the product's services, and the feature's own default parameters.
///
/// `SFLeaderboardTracker()` delivers through `DeliveryEngine.shared`; nothing is sent until the app opens that engine.
public struct SFLeaderboardTracker: FeatureTracker {
    public let product: SFTracker
    public var defaults: EventParameters { .leaderboard }

    /// Creates a tracker over the product's tracker.
    public init(_ product: SFTracker = SFTracker()) {
        self.product = product
    }
}

extension EventParameters {
    /// What each event of the leaderboard carries by default.
    static let leaderboard: EventParameters = [.screen("leaderboard"), .feature("leaderboard")]
}
