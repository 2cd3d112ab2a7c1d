public import CoreTracker

extension EventCatalog {
    /// The catalog of the events of Dolap Lite's product list.
    public static let dlListing = EventCatalog(
        "DLListing",
        product: "DL",
        scope: .listing,
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
