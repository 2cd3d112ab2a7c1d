import CoreTracker
import MultiTracker

/// A capability that no module of the library knows.
protocol WishlistTrackable: Sendable {
    func trackWish(item: String)
}

extension Tracker: WishlistTrackable {
    func trackWish(item: String) {
        forEach(of: (any WishlistTrackable).self) { $0.trackWish(item: item) }
    }
}

extension TrackerType {
    /// A vendor that no module of the library knows.
    static let outside: TrackerType = "outside"
}
