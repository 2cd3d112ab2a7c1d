/// One line of the table: what is measured, in what, and what it may cost.
struct Row: Sendable {
    /// What a value may be.
    enum Budget: Sendable, Equatable {
        /// At most so much.
        case atMost(Double)
        /// At least so much.
        case atLeast(Double)
        /// At most so many times what the floor costs.
        case timesFloor(Double)
    }

    /// The name, as the table and `--filter` spell it.
    let name: String
    /// What its values are in.
    let unit: RowUnit
    /// What it may cost; without a budget it is reported.
    let budgets: [Budget]
    /// Whether it is a count that comes out the same in every run, so that `--compare` holds it to an earlier one.
    let isCount: Bool

    /// Creates a row.
    init(_ name: String, _ unit: RowUnit, _ budgets: Budget..., isCount: Bool = false) {
        self.name = name
        self.unit = unit
        self.budgets = budgets
        self.isCount = isCount
    }

    /// How many times the floor's cost a value is; for a rate less is more.
    func ratio(of value: Double, to floor: Double) -> Double {
        unit.isRate ? floor / max(value, .leastNonzeroMagnitude) : value / max(floor, .leastNonzeroMagnitude)
    }

    /// Whether a value, and its ratio to the floor, keep each budget.
    func keepsBudget(value: Double, ratio: Double?) -> Bool {
        budgets.allSatisfy { budget in
            switch budget {
            case .atMost(let most): value <= most
            case .atLeast(let least): value >= least
            case .timesFloor(let most): ratio.map { $0 <= most } ?? false
            }
        }
    }

    /// The budgets for people.
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
