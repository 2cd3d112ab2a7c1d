import CoreTracker
import CoreTrackerTesting

/// A capability that stands for one a feature module defines: `MultiTracker` knows nothing of it.
protocol WishlistTrackable: Sendable {
    func trackWish(_ product: String)
}

extension MockTrackable: WishlistTrackable {
    func trackWish(_ product: String) { record(.wish(product)) }
}

extension MockTrackable.Call {
    /// A call of a capability that the mock does not know.
    static func wish(_ product: String) -> MockTrackable.Call {
        .event(VendorEvent("wishlist", "wish", ["product": .string(product)]))
    }
}
