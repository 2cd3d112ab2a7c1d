public import Analytics
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
        AwesomeTrackingEvent("listing_item_selected", product.awesomeTrackingParameters, merging: place)
    }
}

extension DLListingItemSelected: PlannedEvent {
    public static var plan: EventPlan<DLListingItemSelected> {
        EventPlan(
            "Listing item selected",
            owner: .dlListing,
            purpose: "How often each position of a list is tapped.",
            introduced: "1.0",
            examples: DLProduct.examples.enumerated().map {
                DLListingItemSelected(listID: "shoes", product: $1, index: $0)
            }
        )
    }
}

/// The analytics steps of the product list.
extension Journey.Event {
    /// The user opened the list.
    ///
    /// - Parameters:
    ///   - listID: The list's id.
    ///   - products: The number of products in the list.
    /// - Returns: The step.
    public static func listOpened(_ listID: String, products: Int) -> Self {
        Self(name: "listOpened", properties: ["listID": listID, "productCount": products])
    }

    /// The user opened a product of the list.
    ///
    /// - Parameter product: The product.
    /// - Returns: The step.
    public static func productOpened(_ product: DLProduct) -> Self {
        Self(name: "productOpened", properties: ["productID": product.id, "isUsed": product.condition == .used])
    }
}
