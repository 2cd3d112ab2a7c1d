import MultiTracker
import OutsideTracker

/// A capability that no module of the library knows.
protocol WishlistTrackable: Sendable {
    func trackWish(item: String)
}

extension Tracker: WishlistTrackable {
    func trackWish(item: String) {
        forEach(of: (any WishlistTrackable).self) { $0.trackWish(item: item) }
    }
}

extension OutsideTracker: WishlistTrackable {
    func trackWish(item: String) { lane.track("wish", parameters: ["item": item]) }
}
