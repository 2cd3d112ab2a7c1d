/// The position of each column in a file's rows.
struct ReplayHeader: Sendable, Equatable {
    /// The number of fields in a row.
    let count: Int
    private let positions: [ReplayColumn: Int]

    /// Parses a file's first line: the columns in any order, with an optional byte order mark and `#`.
    init(_ line: [UInt8]) throws(DemoError) {
        let isMarked = line.starts(with: [0xEF, 0xBB, 0xBF])
        var bytes = line.dropFirst(isMarked ? 3 : 0).drop { $0 == UInt8(ascii: " ") }
        if bytes.first == UInt8(ascii: "#") { bytes.removeFirst() }
        let names: [String]
        do throws(MalformedRow) {
            names = try CSVFields.split(Array(bytes))
        } catch {
            throw .badHeader(error.reason)
        }
        var positions: [ReplayColumn: Int] = [:]
        for (position, name) in names.enumerated() {
            let trimmed = name.trimmingBlanks
            guard let column = ReplayColumn(rawValue: trimmed) else {
                throw .badHeader("unknown column '\(trimmed.shortened(to: 60))'")
            }
            guard positions.updateValue(position, forKey: column) == nil else {
                throw .badHeader("the column \(trimmed) stands there twice")
            }
        }
        if let missing = ReplayColumn.allCases.first(where: { $0.isNeeded && positions[$0] == nil }) {
            throw .badHeader("the column \(missing.rawValue) is missing")
        }
        count = names.count
        self.positions = positions
    }

    /// Returns the field of a column in a row, or an empty text if the file does not have the column.
    func field(_ column: ReplayColumn, of fields: [String]) -> String {
        guard let position = positions[column], fields.indices.contains(position) else { return "" }
        return fields[position]
    }
}

extension DemoError {
    fileprivate static func badHeader(_ reason: String) -> DemoError {
        DemoError("the header: \(reason)", code: .badData)
    }
}

extension String {
    fileprivate var trimmingBlanks: String {
        var text = self[...].drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}
