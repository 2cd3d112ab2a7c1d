import CoreTracker

/// The vendors of the product detail's events.
///
/// They are referenced by name, because no feature imports a vendor's module.
extension TrackerType {
    /// Braze, whose campaigns remind users of liked products.
    static let braze: TrackerType = "braze"
}
