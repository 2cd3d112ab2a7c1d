import AwesomeTracking
package import CoreTracker
public import EventDelivery

/// What Trendyol's app says of itself while it runs.
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

    /// The app's own settings, which the product's services read unless they are given others.
    ///
    /// The app changes them where it learns of the change: `TYSettings.current.update { $0.storefront = .germany }`.
    public static let current = ProductSettings(TYSettings()) { $0.defaults }

    /// The parameters of every event of Trendyol for AwesomeTracking; an event's own win over them.
    package var defaults: EventParameters {
        [
            .channel(channel), .productID("TY"), .storefront(storefront.country), .storefrontID(storefront.id),
            .currency(storefront.currency), .language(storefront.language), .platform(AwesomeTrackingPlatform.current),
        ]
    }
}
