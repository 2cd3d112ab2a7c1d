public import CoreTracker

extension EventCatalog {
    /// The events of Dolap Lite's listing.
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
    /// Who answers for the events of this module.
    static let dlListing: EventOwner = "Dolap Lite discovery"
}
