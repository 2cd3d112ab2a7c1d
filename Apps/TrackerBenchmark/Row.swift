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
    /// Whether the value is a count without variation between runs.
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

/// The unit of a row's values.
enum RowUnit: String, Codable, Sendable {
    /// Nanoseconds.
    case nanoseconds
    /// A rate per second, for which higher is better.
    case perSecond
    /// Bytes.
    case bytes
    /// A plain count, such as allocations.
    case count
    /// A plain ratio.
    case times
    /// A ratio of a body's size to its compressed size, for which higher is better.
    case compression

    /// Whether more is better.
    var isRate: Bool { self == .perSecond || self == .compression }

    /// Returns a value as a text for people.
    func text(_ value: Double) -> String {
        switch self {
        case .nanoseconds: RowUnit.scaled(value, [(1, "ns"), (1e3, "µs"), (1e6, "ms"), (1e9, "s")])
        case .perSecond: RowUnit.grouped(value) + "/s"
        case .bytes: RowUnit.scaled(value, [(1, "B"), (1e3, "kB"), (1e6, "MB"), (1e9, "GB")])
        case .count: value < 1_000 ? RowUnit.rounded(value) : RowUnit.grouped(value)
        case .times, .compression: RowUnit.rounded(value)
        }
    }

    /// Returns a number with at most two decimals.
    static func rounded(_ value: Double) -> String {
        let hundredths = (value * 100).rounded()
        guard abs(hundredths) < 1e15 else { return "\(value)" }
        let whole = Int(hundredths)
        guard !whole.isMultiple(of: 100) else { return "\(whole / 100)" }
        return "\(hundredths / 100)"
    }

    private static func scaled(_ value: Double, _ steps: [(factor: Double, name: String)]) -> String {
        let step = steps.last { abs(value) >= $0.factor } ?? (1, steps.first?.name ?? "")
        let scaled = value / step.factor
        let digits = abs(scaled) >= 100 ? scaled.rounded() : (scaled * 10).rounded() / 10
        return "\(rounded(abs(scaled) < 10 ? scaled : digits)) \(step.name)"
    }

    /// Returns an integer with commas between thousands.
    private static func grouped(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "\(value)" }
        let digits = Array("\(Int(value.rounded()))")
        let groups = stride(from: digits.count, to: 0, by: -3).map { String(digits[max(0, $0 - 3)..<$0]) }
        return groups.reversed().joined(separator: ",")
    }
}
