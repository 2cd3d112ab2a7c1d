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
                throw .badHeader("the column \(trimmed) appears twice")
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

/// A column of the REES46 data set.
enum ReplayColumn: String, CaseIterable, Sendable {
    case eventTime = "event_time"
    case eventType = "event_type"
    case productID = "product_id"
    case categoryID = "category_id"
    case categoryCode = "category_code"
    case brand
    case price
    case userID = "user_id"
    case userSession = "user_session"

    /// Whether every row must have a value in this column.
    var isNeeded: Bool {
        switch self {
        case .eventTime, .eventType, .productID, .price, .userID, .userSession: true
        case .categoryID, .categoryCode, .brand: false
        }
    }
}

/// A parser for a line of a CSV file (RFC 4180, but a quoted field ends with its line).
///
/// An unclosed quotation mark therefore affects only its row.
enum CSVFields {
    private static let comma = UInt8(ascii: ",")
    private static let quote = UInt8(ascii: "\"")

    /// Splits a line into its fields.
    ///
    /// Throws if the line is malformed or not UTF-8.
    static func split(_ line: [UInt8]) throws(MalformedRow) -> [String] {
        var fields: [String] = []
        fields.reserveCapacity(9)
        var rest = line[...]
        while true {
            let bytes = rest.first == quote ? try quoted(&rest) : unquoted(&rest)
            let field = String(decoding: bytes, as: UTF8.self)
            guard field.utf8.elementsEqual(bytes) else { throw MalformedRow("not UTF-8") }
            fields.append(field)
            guard rest.popFirst() == comma else { return fields }
        }
    }

    private static func unquoted(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let end = rest.firstIndex(of: comma) ?? rest.endIndex
        defer { rest = rest[end...] }
        return rest[..<end]
    }

    private static func quoted(_ rest: inout ArraySlice<UInt8>) throws(MalformedRow) -> ArraySlice<UInt8> {
        rest.removeFirst()
        var bytes: [UInt8] = []
        while let end = rest.firstIndex(of: quote) {
            bytes += rest[..<end]
            rest = rest[(end + 1)...]
            guard rest.first == quote else {
                guard rest.isEmpty || rest.first == comma else { throw MalformedRow("text after a quoted field") }
                return bytes[...]
            }
            bytes.append(quote)
            rest.removeFirst()
        }
        throw MalformedRow("a quotation mark is not closed")
    }
}
