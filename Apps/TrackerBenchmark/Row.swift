/// A line of the table: its name, unit and budgets.
struct Row: Sendable {
    /// A limit for a value.
    enum Budget: Sendable, Equatable {
        /// At most the given value.
        case atMost(Double)
        /// At least the given value.
        case atLeast(Double)
        /// At most the given multiple of the floor's cost.
        case timesFloor(Double)
    }

    /// The name in the table and for `--filter`.
    let name: String
    /// The unit of the values.
    let unit: RowUnit
    /// The budgets.
    ///
    /// Without any, the row is only reported.
    let budgets: [Budget]
    /// Whether the value is a count that is the same in every run.
    ///
    /// `--compare` compares these with an earlier result.
    let isCount: Bool

    /// Creates a row.
    init(_ name: String, _ unit: RowUnit, _ budgets: Budget..., isCount: Bool = false) {
        self.name = name
        self.unit = unit
        self.budgets = budgets
        self.isCount = isCount
    }

    /// Returns a value's cost as a multiple of the floor's cost.
    ///
    /// A lower rate means a higher cost.
    func ratio(of value: Double, to floor: Double) -> Double {
        unit.isRate ? floor / max(value, .leastNonzeroMagnitude) : value / max(floor, .leastNonzeroMagnitude)
    }

    /// Whether a value and its ratio to the floor are within all budgets.
    func keepsBudget(value: Double, ratio: Double?) -> Bool {
        budgets.allSatisfy { budget in
            switch budget {
            case .atMost(let most): value <= most
            case .atLeast(let least): value >= least
            case .timesFloor(let most): ratio.map { $0 <= most } ?? false
            }
        }
    }

    /// The budgets as a text.
    var budgetText: String {
        let texts = budgets.map { budget in
            switch budget {
            case .atMost(let most): "≤ \(unit.text(most))"
            case .atLeast(let least): "≥ \(unit.text(least))"
            case .timesFloor(let most): "≤ \(RowUnit.rounded(most)) × floor"
            }
        }
        return texts.isEmpty ? "reported" : texts.joined(separator: ", ")
    }
}
