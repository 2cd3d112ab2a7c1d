/// A parser for a line of a CSV file (RFC 4180, except that a quoted field ends with its line).
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
