public import CoreTracker

extension EventCatalog {
    /// The catalog of the events of Trendyol's product detail.
    public static let tyProductDetail = EventCatalog(
        "TYProductDetail",
        product: "TY",
        scope: .productDetail,
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
