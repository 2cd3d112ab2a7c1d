public import CoreTracker

extension EventCatalog {
    /// The catalog of the events of Dolap Lite's product detail.
    public static let dlProductDetail = EventCatalog(
        "DLProductDetail",
        product: "DL",
        scope: .productDetail,
        events: [
            DLProductViewed.self,
            DLProductLiked.self,
            DLProductAddedToBasket.self,
            DLProductRemovedFromBasket.self,
        ]
    )
}

extension EventOwner {
    /// The team that owns the events of this module.
    static let dlProductDetail: EventOwner = "Dolap Lite discovery"
}
