public import CoreTracker
public import DLTracker

/// A product of a list was tapped.
public struct DLListingItemSelected: CoreTrackable {
    /// The list's id, such as a category's code or `search`.
    public let listID: String
    /// The tapped product.
    public let product: DLProduct
    /// The product's place in the list, from 0.
    public let index: Int

    /// Creates the event.
    public init(listID: String, product: DLProduct, index: Int) {
        self.listID = listID
        self.product = product
        self.index = index
    }

    public var services: [EventService] {
        let details: EventParameters = [.listID: .string(listID), .position: .int(index)]
        return [
            .firebase(
                FirebaseEvent(
                    name: "select_item",
                    parameters: [.itemListID: .string(listID), .items: [product.firebaseItem(at: index)]]
                )
            ),
            .awesomeTracking(
                AwesomeTrackingEvent(
                    name: "listing_item_selected",
                    parameters: product.awesomeTrackingParameters.merging(details)
                )
            ),
        ]
    }
}

extension DLListingItemSelected: PlannedEvent {
    public static var plan: EventPlan<DLListingItemSelected> {
        EventPlan(
            "Listing item selected",
            owner: .dlListing,
            purpose: "How often a place of a list is tapped.",
            examples: DLProduct.examples.enumerated().map {
                DLListingItemSelected(listID: "shoes", product: $1, index: $0)
            }
        )
    }
}
