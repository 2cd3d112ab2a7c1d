import CoreTracker

/// The names that the product detail's events share.
extension EventParameter {
    /// AwesomeTracking: which way pieces went.
    static let action = Key<TYCartChanged.Change>("action")
    /// AwesomeTracking: how many pieces.
    static let count = Key<Int>("count")
}
