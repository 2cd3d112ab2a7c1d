import AwesomeTracking
package import CoreTracker
public import EventDelivery

/// What Dolap Lite's app says of itself while it runs.
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

    /// The app's own settings, which the product's services read unless they are given others.
    ///
    /// The app changes them where it learns of the change: `DLSettings.current.update { $0.storefront = .azerbaijan }`.
    public static let current = ProductSettings(DLSettings()) { $0.defaults }

    /// The parameters of every event of Dolap Lite for AwesomeTracking; an event's own win over them.
    package var defaults: EventParameters {
        [
            .channel(channel), .productID("DL"), .storefront(storefront.country), .currency(storefront.currency),
            .language(storefront.language), .platform(AwesomeTrackingPlatform.current),
        ]
    }
}
