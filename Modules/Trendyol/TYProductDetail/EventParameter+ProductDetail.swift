import CoreTracker

/// The parameter keys of the product detail's events.
extension EventParameter {
    /// AwesomeTracking: whether pieces were added or removed.
    static let action = Key<TYCartChanged.Change>("action")
    /// AwesomeTracking: how many pieces.
    static let count = Key<Int>("count")
    /// The feature that an event comes from.
    static let feature = Key<String>("feature")
    /// The screen that an event comes from.
    static let screen = Key<String>("screen")
}
