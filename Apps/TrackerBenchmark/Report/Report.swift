import Foundation

/// The results of all figures: as a table, as JSON, and against an earlier one.
struct Report: Codable, Sendable {
    /// A row as it stands in the JSON.
    struct Line: Codable, Sendable, Equatable {
        /// The row's name.
        let name: String
        /// What the values are in.
        let unit: RowUnit
        /// The measured values; `nil` where there are none.
        let value: Spread?
        /// The floor's values.
        let floor: Spread?
        /// How many times the floor's cost it is.
        let ratio: Double?
        /// The budget, for people.
        let budget: String
        /// Whether the budget is kept.
        let isWithinBudget: Bool
        /// Whether it is a count that repeats.
        let isCount: Bool
        /// Why there is no value.
        let note: String?
    }

    /// How much a count may be above an earlier one, as a factor.
    static let margin = 1.01

    /// The rows in their order.
    let figures: [Line]

    /// Creates a report of rows.
    init(_ results: [RowResult]) {
        figures = results.map { result in
            Line(
                name: result.row.name,
                unit: result.row.unit,
                value: result.value,
                floor: result.floor,
                ratio: result.ratio,
                budget: result.row.budgetText,
                isWithinBudget: result.isWithinBudget,
                isCount: result.row.isCount,
                note: result.note
            )
        }
    }

    /// Reads an earlier result; `nil` when there is none at the path.
    init?(path: String) {
        guard let data = FileManager.default.contents(atPath: path),
            let report = try? JSONDecoder().decode(Report.self, from: data)
        else { return nil }
        self = report
    }

    /// Whether something was measured and every budget is kept.
    var isWithinBudget: Bool { !figures.isEmpty && figures.allSatisfy(\.isWithinBudget) }

    /// The report as one line of JSON.
    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// Says which counts are more than the margin above those of an earlier report.
    ///
    /// Times are not compared, since another machine or another hour has others; nor are rows that only one has.
    func growth(since earlier: Report) -> [String] {
        let before = Dictionary(earlier.figures.map { ($0.name, $0) }) { first, _ in first }
        return figures.compactMap { line in
            guard line.isCount, let now = line.value?.median, let old = before[line.name],
                let then = old.value?.median, old.unit == line.unit, now > then * Report.margin
            else { return nil }
            return "\(line.name): \(line.unit.text(now)), was \(line.unit.text(then))"
        }
    }
}
