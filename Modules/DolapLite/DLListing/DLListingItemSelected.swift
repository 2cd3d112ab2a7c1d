public import CoreTracker
public import DLTracker

/// The user tapped a product in a list.
public struct DLListingItemSelected: CoreTrackable {
    /// The list's id, such as a category's code or `search`.
    public let listID: String
    /// The tapped product.
    public let product: DLProduct
    /// The product's position in the list, from 0.
    public let index: Int

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - listID: The list's id, such as a category's code or `search`.
    ///   - product: The tapped product.
    ///   - index: The product's position in the list, from 0.
    public init(listID: String, product: DLProduct, index: Int) {
        self.listID = listID
        self.product = product
        self.index = index
    }

    public var services: [EventService] {
        FirebaseEvent("select_item", [.itemListID(listID), .items([product.firebaseItem(at: index)])])
        let place: EventParameters = [.listID(listID), .position(index)]
        AwesomeTrackingEvent("listing_item_selected", product.awesomeTrackingParameters, place)
    }
}

extension DLListingItemSelected: PlannedEvent {
    public static var plan: EventPlan<DLListingItemSelected> {
        EventPlan(
            "Listing item selected",
            owner: .dlListing,
            purpose: "How often a place of a list is tapped.",
            introduced: "1.0",
            examples: DLProduct.examples.enumerated().map {
                DLListingItemSelected(listID: "shoes", product: $1, index: $0)
            }
        )
    }
}
