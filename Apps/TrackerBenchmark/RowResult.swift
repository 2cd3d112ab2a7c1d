/// The combined result of all runs of a row.
struct RowResult: Sendable {
    /// The row.
    let row: Row
    /// The measured values, if any.
    let value: Spread?
    /// The floor's values, if any.
    let floor: Spread?
    /// The median ratio of a run's value to the floor of the same run.
    let ratio: Double?
    /// The reason for a missing value.
    let note: String?

    /// Combines the runs of a row.
    init(_ row: Row, samples: [Sample], failure: String? = nil) {
        self.row = row
        let own = samples.filter { $0.row == row.name }
        value = Spread(own.compactMap(\.value))
        floor = Spread(own.compactMap(\.floor))
        ratio =
            Spread(
                own.compactMap { sample in
                    guard let value = sample.value, let floor = sample.floor else { return nil }
                    return row.ratio(of: value, to: floor)
                }
            )?.median
        note = value == nil ? own.compactMap(\.note).first ?? failure ?? "not measured" : nil
        hasFailed = value == nil && own.compactMap(\.note).isEmpty
    }

    /// Whether a value is missing that should have been measured.
    let hasFailed: Bool

    /// Whether the median is within the budget.
    ///
    /// A value that this machine cannot measure counts as within.
    var isWithinBudget: Bool {
        value.map { row.keepsBudget(value: $0.median, ratio: ratio) } ?? !hasFailed
    }
}

/// The median and range of several measurements.
struct Spread: Codable, Sendable, Equatable {
    /// The median.
    ///
    /// For an even number of values, it is the larger of the two middle values.
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
