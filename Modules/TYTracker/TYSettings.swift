public import EventDelivery

/// The values of Trendyol's app that change while it runs.
public struct TYSettings: Sendable, Hashable {
    /// The country's shop that the user is in, with its currency and language.
    public var storefront: TYStorefront
    /// The app that events come from.
    public var channel: String

    /// Creates settings.
    public init(storefront: TYStorefront = .turkey, channel: String = "trendyol") {
        self.storefront = storefront
        self.channel = channel
    }

    /// The settings of the running app, which ``TYAwesomeTrackingService`` reads inside each `track` by default.
    ///
    /// They are one of the two values that Trendyol shares in a process; the other is `DeliveryEngine.shared`. The app
    /// changes them by `TYSettings.current.update { $0.storefront = .germany }`. A test passes settings of its own to
    /// ``TYTracker/init(on:settings:vendorService:)``.
    public static let current = ProductSettings(TYSettings()) { $0.awesomeTrackingDefaults }
}
