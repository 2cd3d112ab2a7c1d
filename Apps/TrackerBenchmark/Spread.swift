/// The median and range of several measurements.
struct Spread: Codable, Sendable, Equatable {
    /// The median.
    ///
    /// For an even number of values it is the upper one of the two in the middle.
    let median: Double
    /// The smallest value.
    let least: Double
    /// The largest value.
    let most: Double

    /// Creates the spread of values.
    ///
    /// Returns `nil` without values.
    init?(_ values: [Double]) {
        let sorted = values.sorted()
        guard let first = sorted.first, let last = sorted.last else { return nil }
        median = sorted[sorted.count / 2]
        least = first
        most = last
    }
}
