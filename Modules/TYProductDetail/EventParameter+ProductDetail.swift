import CoreTracker

/// The names that the product detail's events share.
extension EventParameter {
    /// AwesomeTracking: which way pieces went.
    static let action = Key<TYCartChanged.Change>("action")
    /// AwesomeTracking: how many pieces.
    static let count = Key<Int>("count")
    /// The feature that an event comes from.
    static let feature = Key<String>("feature")
    /// The screen that an event comes from.
    static let screen = Key<String>("screen")
}
