import Foundation

/// The results of all figures, as a table, as JSON, or compared with an earlier result.
struct Report: Codable, Sendable {
    /// A row in the JSON.
    struct Line: Codable, Sendable, Equatable {
        /// The row's name.
        let name: String
        /// The unit of the values.
        let unit: RowUnit
        /// The measured values, if any.
        let value: Spread?
        /// The floor's values, if any.
        let floor: Spread?
        /// The cost as a multiple of the floor's cost.
        let ratio: Double?
        /// The budget as a text.
        let budget: String
        /// Whether the value is within its budget.
        let isWithinBudget: Bool
        /// Whether the value is a count without variation between runs.
        let isCount: Bool
        /// The reason for a missing value.
        let note: String?
    }

    /// The factor by which a count may exceed an earlier one.
    static let margin = 1.02

    /// The rows, in order.
    let figures: [Line]

    /// Creates a report from the rows' results.
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

    /// Reads an earlier result.
    ///
    /// Returns `nil` if the file has none.
    init?(path: String) {
        guard let data = FileManager.default.contents(atPath: path),
            let report = try? JSONDecoder().decode(Report.self, from: data)
        else { return nil }
        self = report
    }

    /// Whether there is at least one figure and all are within their budgets.
    var isWithinBudget: Bool { !figures.isEmpty && figures.allSatisfy(\.isWithinBudget) }

    /// The report as one line of JSON.
    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// Returns the counts that exceed the counts of an earlier report by more than the margin.
    ///
    /// Times are not compared, since they differ between machines and hours. Rows of only one report are ignored.
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

extension Report {
    private static let titles = ["figure", "median", "least–most", "floor", "× floor", "budget", ""]

    /// The report as a table for people.
    var table: String {
        guard !figures.isEmpty else { return "no figure has a row with this name" }
        return Report.table([Report.titles] + figures.map(Report.cells), numbers: 1...4)
    }

    /// Returns a table with a line under its first row, the titles.
    ///
    /// - Parameters:
    ///   - rows: The cells of each row.
    ///   - numbers: The columns with numbers, which are aligned at the right.
    static func table(_ rows: [[String]], numbers: ClosedRange<Int>) -> String {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        var lines = rows.map { row in
            let cells = row.indices.map { column in
                let blanks = String(repeating: " ", count: widths[column] - row[column].count)
                return numbers.contains(column) ? blanks + row[column] : row[column] + blanks
            }
            return Report.trimmed(cells.joined(separator: "  "))
        }
        lines.insert(Report.trimmed(widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")), at: 1)
        return lines.joined(separator: "\n")
    }

    private static func cells(_ line: Line) -> [String] {
        guard let value = line.value else { return [line.name, "–", "", "", "", line.budget, line.note ?? ""] }
        let range = "\(line.unit.text(value.least))–\(line.unit.text(value.most))"
        return [
            line.name,
            line.unit.text(value.median),
            value.least == value.most ? "" : range,
            line.floor.map { line.unit.text($0.median) } ?? "",
            line.ratio.map(RowUnit.rounded) ?? "",
            line.budget,
            line.budget == "reported" ? "" : line.isWithinBudget ? "kept" : "BEYOND",
        ]
    }

    private static func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }
}

/// The benchmark's output: results on stdout, notes on stderr, and progress on stderr if it is a terminal.
enum BenchmarkConsole {
    private static let showsProgress = isatty(STDERR_FILENO) == 1

    /// Prints a result.
    static func print(_ text: String, terminator: String = "\n") {
        write(text + terminator, to: .standardOutput)
    }

    /// Prints a note.
    static func log(_ text: String) {
        write(text + "\n", to: .standardError)
    }

    /// Shows a progress text.
    ///
    /// An empty text removes it.
    static func progress(_ text: String) {
        guard showsProgress else { return }
        write("\r\u{1B}[K\(text.prefix(79))", to: .standardError)
    }

    /// Writes a text.
    ///
    /// Continues even if the reader is gone.
    static func write(_ text: String, to handle: FileHandle) {
        try? handle.write(contentsOf: Data(text.utf8))
    }
}
