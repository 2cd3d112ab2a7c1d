/// What all runs together say of a row.
struct RowResult: Sendable {
    /// The row.
    let row: Row
    /// The measured values; `nil` where there are none.
    let value: Spread?
    /// The floor's values.
    let floor: Spread?
    /// The middle one of the ratios of each run to the floor that was measured in it.
    let ratio: Double?
    /// Why there is no value.
    let note: String?

    /// Gathers the runs of a row.
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

    /// Whether there should be a value and is none.
    let hasFailed: Bool

    /// Whether the middle value keeps the budget; what this machine cannot measure breaks none.
    var isWithinBudget: Bool {
        value.map { row.keepsBudget(value: $0.median, ratio: ratio) } ?? !hasFailed
    }
}
