import AwesomeTracking
package import CoreTracker
public import EventDelivery

/// What Starfield's app says of itself while it runs.
public struct SFSettings: Sendable, Hashable {
    /// How the game is played.
    public var mode: SFMode

    /// Creates settings.
    public init(mode: SFMode = .keyboard) {
        self.mode = mode
    }

    /// The app's own settings, which the product's services read unless they are given others.
    ///
    /// The app changes them where it learns of the change: `SFSettings.current.update { $0.mode = .headless }`.
    public static let current = ProductSettings(SFSettings()) { $0.defaults }

    /// The parameters of every event of Starfield for AwesomeTracking; an event's own win over them.
    package var defaults: EventParameters {
        [
            .channel("starfield"), .productID("SF"), .mode(mode), .platform(AwesomeTrackingPlatform.current),
        ]
    }
}
