public import Analytics
import CoreTracker
public import DLTracker

/// The steps of the list of products.
extension Journey.Event {
    /// The list was opened.
    public static func listOpened(_ listID: String, products: Int) -> Self {
        Self(name: "listOpened", properties: ["listID": .string(listID), "productCount": .int(products)])
    }

    /// A product of the list was opened.
    public static func productOpened(_ product: DLProduct) -> Self {
        Self(
            name: "productOpened",
            properties: ["productID": .string(product.id), "isUsed": .bool(product.condition == .used)]
        )
    }
}
