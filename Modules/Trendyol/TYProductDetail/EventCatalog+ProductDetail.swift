public import CoreTracker

extension EventCatalog {
    /// The catalog of the events of Trendyol's product detail.
    public static let tyProductDetail = EventCatalog(
        "TYProductDetail",
        product: "TY",
        defaults: .productDetail,
        events: [
            TYContentViewed.self,
            TYCartChanged.self,
            TYReviewsOpened.self,
        ]
    )
}

extension EventOwner {
    /// The team that owns the events of this module.
    static let tyProductDetail: EventOwner = "Trendyol discovery"
}

/// The parameter keys of the product detail's events.
extension EventParameter {
    /// AwesomeTracking: whether pieces were added or removed.
    static let action = Key<TYCartChanged.Change>("action")
    /// AwesomeTracking: the number of pieces.
    static let count = Key<Int>("count")
    /// The feature that an event comes from.
    static let feature = Key<String>("feature")
    /// The screen that an event comes from.
    static let screen = Key<String>("screen")
}
