import CoreTracker
import CoreTrackerTesting

/// A capability that is declared outside `MultiTracker`, as in a feature module.
protocol WishlistTrackable: Sendable {
    func trackWish(_ product: String)
}

extension MockTrackable: WishlistTrackable {
    func trackWish(_ product: String) { record(.wish(product)) }
}

extension MockTrackable.Call {
    /// A call of a capability that the mock does not declare.
    static func wish(_ product: String) -> MockTrackable.Call {
        .event(VendorEvent("wishlist", "wish", ["product": .string(product)]))
    }
}
