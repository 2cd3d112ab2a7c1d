import CoreTracker

/// The vendors that the product detail's events name: by their types alone, since no feature imports a vendor's module.
extension TrackerType {
    /// Braze, whose campaigns remind users of what they like.
    static let braze: TrackerType = "braze"
}
