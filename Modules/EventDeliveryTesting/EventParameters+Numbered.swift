public import CoreTracker

extension EventParameters {
    /// So many parameters: `p0`, `p1`, …, each with its number.
    public static func numbered(_ count: Int) -> EventParameters {
        EventParameters((0..<count).map { (ParameterKey("p\($0)"), .int($0)) })
    }
}
