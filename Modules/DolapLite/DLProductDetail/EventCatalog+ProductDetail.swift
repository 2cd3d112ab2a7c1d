public import CoreTracker

extension EventCatalog {
    /// The catalog of the events of Dolap Lite's product detail.
    public static let dlProductDetail = EventCatalog(
        "DLProductDetail",
        product: "DL",
        defaults: .productDetail,
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

/// The parameter keys of the product detail's events.
extension EventParameter {
    /// AwesomeTracking: the number of pieces.
    static let quantity = Key<Int>("quantity")
    /// The feature that an event comes from.
    static let feature = Key<String>("feature")
    /// The screen that an event comes from.
    static let screen = Key<String>("screen")
}
