public import CoreTracker
public import DLTracker

/// A list of products appeared on the screen.
public struct DLListingViewed: CoreTrackable {
    /// The list's id, such as a category's code or `search`.
    public let listID: String
    /// The products, in the order of the list.
    public let products: [DLProduct]

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - listID: The list's id, such as a category's code or `search`.
    ///   - products: The products, in the order of the list.
    public init(listID: String, products: [DLProduct]) {
        self.listID = listID
        self.products = products
    }

    public var services: [EventService] {
        let items = products.enumerated().map { $1.firebaseItem(at: $0) }
        FirebaseEvent("view_item_list", [.itemListID(listID), .items(items)])
        AwesomeTrackingEvent("listing_viewed", [.listID(listID), .itemIDs(products.map(\.id))])
    }
}

extension DLListingViewed: PlannedEvent {
    public static var plan: EventPlan<DLListingViewed> {
        EventPlan(
            "Listing viewed",
            owner: .dlListing,
            purpose: "Which products are shown, and in which order.",
            introduced: "1.0",
            examples: [DLListingViewed(listID: "shoes", products: DLProduct.examples)]
        )
    }
}
