/// A capability that stands for one a feature module defines: `MultiTracker` knows nothing of it.
protocol WishlistTrackable: Sendable {
    func trackWish(_ product: String)
}

extension RecordingTracker: WishlistTrackable {
    func trackWish(_ product: String) { record("wish \(product)") }
}
