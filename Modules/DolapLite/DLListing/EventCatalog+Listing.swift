public import CoreTracker

extension EventCatalog {
    /// The catalog of the events of Dolap Lite's product list.
    public static let dlListing = EventCatalog(
        "DLListing",
        product: "DL",
        defaults: .listing,
        events: [
            DLListingViewed.self,
            DLListingItemSelected.self,
        ]
    )
}

extension EventOwner {
    /// The team that owns the events of this module.
    static let dlListing: EventOwner = "Dolap Lite discovery"
}

/// The parameter keys of the product list's events.
extension EventParameter {
    /// Firebase: the list's id.
    static let itemListID = Key<String>("item_list_id")
    /// Firebase: the products.
    static let items = Key<[ParameterValue]>("items")
    /// AwesomeTracking: the list's id.
    static let listID = Key<String>("list_id")
    /// AwesomeTracking: the products' ids, in the order of the list.
    static let itemIDs = Key<[String]>("item_ids")
    /// AwesomeTracking: a product's position in the list, from 0.
    static let position = Key<Int>("position")
    /// The feature that an event comes from.
    static let feature = Key<String>("feature")
    /// The screen that an event comes from.
    static let screen = Key<String>("screen")
}
