import CoreTracker

/// The names that the product detail's events share.
extension ParameterKey {
    /// AwesomeTracking: how many pieces.
    static let quantity: ParameterKey = "quantity"
}
