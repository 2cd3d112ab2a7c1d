public import Analytics
import CoreTracker
public import DLTracker

/// The analytics steps of the product list.
extension Journey.Event {
    /// The user opened the list.
    public static func listOpened(_ listID: String, products: Int) -> Self {
        Self(name: "listOpened", properties: ["listID": .string(listID), "productCount": .int(products)])
    }

    /// The user opened a product of the list.
    public static func productOpened(_ product: DLProduct) -> Self {
        Self(
            name: "productOpened",
            properties: ["productID": .string(product.id), "isUsed": .bool(product.condition == .used)]
        )
    }
}
