public import EventDelivery

/// The values of Starfield's app that change while it runs.
public struct SFSettings: Sendable, Hashable {
    /// How the game is played.
    public var mode: SFMode

    /// Creates settings.
    public init(mode: SFMode = .keyboard) {
        self.mode = mode
    }

    /// The settings of the running app, which ``SFAwesomeTrackingService`` reads inside each `track` by default.
    ///
    /// They are one of the two values that Starfield shares in a process; the other is `DeliveryEngine.shared`. The app
    /// changes them by `SFSettings.current.update { $0.mode = .headless }`. A test passes settings of its own to
    /// ``SFTracker/init(on:settings:vendorService:)``.
    public static let current = ProductSettings(SFSettings()) { $0.awesomeTrackingDefaults }
}
