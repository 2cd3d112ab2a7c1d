public import EventDelivery

/// The values of Dolap Lite's app that change while it runs.
public struct DLSettings: Sendable, Hashable {
    /// The country's shop that the user is in, with its currency and language.
    public var storefront: DLStorefront
    /// The app that events come from.
    public var channel: String

    /// Creates settings.
    public init(storefront: DLStorefront = .turkey, channel: String = "dolap_lite") {
        self.storefront = storefront
        self.channel = channel
    }

    /// The settings of the running app, which ``DLAwesomeTrackingService`` reads inside each `track` by default.
    ///
    /// They are one of the two values that Dolap Lite shares in a process; the other is `DeliveryEngine.shared`. The
    /// app changes them by `DLSettings.current.update { $0.storefront = .azerbaijan }`. A test passes settings of its
    /// own to ``DLTracker/init(on:settings:vendorService:)``.
    public static let current = ProductSettings(DLSettings()) { $0.awesomeTrackingDefaults }
}
