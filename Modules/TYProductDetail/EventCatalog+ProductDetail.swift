public import CoreTracker

extension EventCatalog {
    /// The events of Trendyol's product detail.
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
    /// Who answers for the events of this module.
    static let tyProductDetail: EventOwner = "Trendyol discovery"
}
