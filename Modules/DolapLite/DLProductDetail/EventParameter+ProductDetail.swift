import CoreTracker

/// The parameter keys of the product detail's events.
extension EventParameter {
    /// AwesomeTracking: how many pieces.
    static let quantity = Key<Int>("quantity")
    /// The feature that an event comes from.
    static let feature = Key<String>("feature")
    /// The screen that an event comes from.
    static let screen = Key<String>("screen")
}
