import CoreTracker

/// The names that the product detail's events share.
extension EventParameter {
    /// AwesomeTracking: how many pieces.
    static let quantity = Key<Int>("quantity")
}
