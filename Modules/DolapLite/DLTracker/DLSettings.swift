public import EventBuffer

/// The settings of Dolap Lite's app that can change while it runs.
///
/// ```swift
/// DLSettings.current.update { $0.storefront = .azerbaijan }
/// ```
public struct DLSettings: Sendable, Hashable {
    /// The user's storefront, with its currency and language.
    public var storefront: DLStorefront
    /// The app that events come from.
    public var channel: String

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - storefront: The user's storefront.
    ///   - channel: The app that events come from.
    public init(storefront: DLStorefront = .turkey, channel: String = "dolap_lite") {
        self.storefront = storefront
        self.channel = channel
    }

    /// The settings of the running app.
    ///
    /// By default, ``DLAwesomeTrackingService`` reads them on each call of `track(_:)`.
    ///
    /// This is one of the two instances that Dolap Lite shares in a process; the other is `DeliveryEngine.shared`. The
    /// app changes the settings with `DLSettings.current.update { $0.storefront = .azerbaijan }`. A test passes
    /// separate settings to ``DLTracker/init(on:settings:vendorService:)``.
    public static let current = ProductSettings(DLSettings()) { $0.awesomeTrackingDefaults }
}
