public import CoreTracker

/// The default parameters of each service.
///
/// Firebase gets none, because it accepts at most 25 per event.
extension DLSettings {
    /// The default parameters that every Dolap Lite event has in AwesomeTracking.
    public var awesomeTrackingDefaults: EventParameters {
        [
            .channel(channel), .productID("DL"), .storefront(storefront.country), .currency(storefront.currency),
            .language(storefront.language), .platform(AwesomeTrackingPlatform.current),
        ]
    }

    /// The default parameters that every step of Dolap Lite has in Google Analytics.
    public var googleAnalyticsDefaults: EventParameters { [.channel(channel)] }
}

/// The parameter keys that several of Dolap Lite's AwesomeTracking events share.
extension EventParameter {
    /// The brand of a product.
    static let brand = Key<String>("brand")
    /// The app that an event comes from.
    static let channel = Key<String>("channel")
    /// The category code of a product.
    static let category = Key<String>("category")
    /// The condition of a product.
    static let condition = Key<DLProduct.Condition>("condition")
    /// The currency of prices; an event's currency overrides that of the storefront.
    static let currency = Key<String>("currency")
    /// The id of a product, unlike `product_id`, which is the id of Dolap Lite itself.
    static let itemID = Key<String>("item_id")
    /// The lines of a basket.
    static let items = Key<[EventParameters]>("items")
    /// The language of the storefront's texts.
    static let language = Key<String>("language")
    /// The platform that the app runs on.
    static let platform = Key<String>("platform")
    /// The price of one piece.
    static let price = Key<Double>("price")
    /// The id of Dolap Lite itself.
    static let productID = Key<String>("product_id")
    /// The number of pieces.
    static let quantity = Key<Int>("quantity")
    /// The country of the storefront.
    static let storefront = Key<String>("storefront")
    /// The total price of a basket.
    static let total = Key<Double>("total")
}
