/// What several runs have measured: the value in the middle, and how far the others were from it.
struct Spread: Codable, Sendable, Equatable {
    /// The middle value; of an even number of values the upper one of the two.
    let median: Double
    /// The smallest value.
    let least: Double
    /// The largest value.
    let most: Double

    /// Creates the spread of values; `nil` without any.
    init?(_ values: [Double]) {
        let sorted = values.sorted()
        guard let first = sorted.first, let last = sorted.last else { return nil }
        median = sorted[sorted.count / 2]
        least = first
        most = last
    }
}
