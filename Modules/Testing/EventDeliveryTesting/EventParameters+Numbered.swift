public import CoreTracker

extension EventParameters {
    /// Returns a number of parameters, `p0`, `p1` and so on, with their numbers as values.
    ///
    /// - Parameter count: The number of parameters.
    /// - Returns: The parameters.
    public static func numbered(_ count: Int) -> EventParameters {
        EventParameters((0..<count).map { (ParameterKey("p\($0)"), .int($0)) })
    }
}
