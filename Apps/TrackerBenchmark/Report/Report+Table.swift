extension Report {
    private static let titles = ["figure", "median", "least–most", "floor", "× floor", "budget", ""]

    /// The report as a table for people.
    var table: String {
        guard !figures.isEmpty else { return "no figure has such a name" }
        let rows = [Report.titles] + figures.map(Report.cells)
        let widths = Report.titles.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        var lines = rows.map { row in
            let cells = row.indices.map { column in
                let blanks = String(repeating: " ", count: widths[column] - row[column].count)
                return (1...4).contains(column) ? blanks + row[column] : row[column] + blanks
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
