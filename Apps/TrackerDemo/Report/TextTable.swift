/// A table in plain text, with columns as wide as their widest cell.
struct TextTable {
    /// The alignment of a column's cells.
    enum Alignment {
        case left, right
    }

    private let alignments: [Alignment]
    private var rows: [[String]]

    /// Creates a table with a header.
    init(_ columns: [(title: String, alignment: Alignment)]) {
        alignments = columns.map(\.alignment)
        rows = [columns.map(\.title)]
    }

    /// Adds a row.
    ///
    /// Missing cells are empty.
    mutating func add(_ cells: [String]) {
        rows.append(cells)
    }

    /// The lines of the table, with a rule under the header.
    var text: String {
        let widths = alignments.indices.map { column in rows.map { cell($0, column).count }.max() ?? 0 }
        var lines = rows.map { row in
            alignments.indices.map { column in
                let text = cell(row, column)
                let blanks = String(repeating: " ", count: widths[column] - text.count)
                return alignments[column] == .left ? text + blanks : blanks + text
            }.joined(separator: "  ").trimmingEnd
        }
        lines.insert(widths.map { String(repeating: "─", count: $0) }.joined(separator: "  "), at: 1)
        return lines.joined(separator: "\n")
    }

    private func cell(_ row: [String], _ column: Int) -> String {
        row.indices.contains(column) ? row[column] : ""
    }
}

extension String {
    fileprivate var trimmingEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
