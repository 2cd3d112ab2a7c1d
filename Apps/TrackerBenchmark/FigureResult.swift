import Foundation

/// A measured figure: medians with the smallest and largest run, and the ratio to the floor.
struct FigureResult: Encodable {
    /// The spread of several runs, in nanoseconds for one call.
    struct Spread: Encodable {
        let median: Double
        let least: Double
        let most: Double

        init(_ values: [Double]) {
            let sorted = values.sorted()
            median = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
            least = sorted.first ?? 0
            most = sorted.last ?? 0
        }
    }

    let name: String
    let budget: Double
    let nanoseconds: Spread
    let floor: Spread
    /// The median of the ratios of each run to the floor that was measured next to it.
    let ratio: Double
    /// Whether the ratio keeps the budget.
    var isWithinBudget: Bool { ratio <= budget }

    /// Measures a figure and its floor in turns, so that a busy machine slows both; the first turn only warms up.
    init(_ figure: some Figure, runs: Int) {
        let turns = (0...max(1, runs)).map { _ in (figure.measure(), figure.measureFloor()) }.dropFirst()
        name = figure.name
        budget = figure.budget
        nanoseconds = Spread(turns.map(\.0))
        floor = Spread(turns.map(\.1))
        ratio = Spread(turns.map { $0.0 / max($0.1, 0.001) }).median
    }

    /// The results as one line of JSON.
    static func json(of results: [FigureResult]) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(results)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
    }

    /// The results as a table for people.
    static func table(of results: [FigureResult]) -> String {
        let lines = results.map { result in
            let ratio = "\(rounded(result.ratio)) × floor, budget \(rounded(result.budget)) ×"
            return "\(result.name)\n  \(text(of: result.nanoseconds)); floor \(text(of: result.floor))\n  \(ratio)"
                + (result.isWithinBudget ? "" : ": BEYOND THE BUDGET")
        }
        return lines.isEmpty ? "no figure has such a name" : lines.joined(separator: "\n")
    }

    private static func text(of spread: Spread) -> String {
        "\(rounded(spread.median)) ns a call (\(rounded(spread.least))–\(rounded(spread.most)))"
    }

    private static func rounded(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}
