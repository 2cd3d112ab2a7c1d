public import EventBuffer

/// The settings of Trendyol's app that can change while it runs.
public struct TYSettings: Sendable, Hashable {
    /// The user's storefront, with its currency and language.
    public var storefront: TYStorefront
    /// The app that events come from.
    public var channel: String

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - storefront: The user's storefront.
    ///   - channel: The app that events come from.
    public init(storefront: TYStorefront = .turkey, channel: String = "trendyol") {
        self.storefront = storefront
        self.channel = channel
    }

    /// The settings of the running app.
    ///
    /// By default, ``TYAwesomeTrackingService`` reads them on each call of `track(_:)`.
    ///
    /// This is one of the two instances that Trendyol shares in a process; the other is `DeliveryEngine.shared`. The
    /// app changes the settings with `TYSettings.current.update { $0.storefront = .germany }`. A test passes separate
    /// settings to ``TYTracker/init(on:settings:vendorService:)``.
    public static let current = ProductSettings(TYSettings()) { $0.awesomeTrackingDefaults }
}
