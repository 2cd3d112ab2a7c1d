import CoreTracker

/// The names that the product detail's events share.
extension ParameterKey {
    /// AwesomeTracking: which way pieces went.
    static let action: ParameterKey = "action"
    /// AwesomeTracking: how many pieces.
    static let count: ParameterKey = "count"
}
