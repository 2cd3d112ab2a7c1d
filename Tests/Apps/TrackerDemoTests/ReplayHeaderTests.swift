import Testing

@testable import TrackerDemo

@Suite struct ReplayHeaderTests {
    private static let columns =
        "event_time,event_type,product_id,category_id,category_code,brand,price,user_id,user_session"

    @Test(arguments: [
        columns, "#" + columns, "# " + columns, "\u{FEFF}" + columns, "\u{FEFF}#" + columns,
        columns.split(separator: ",").map { "\"\($0)\"" }.joined(separator: ","),
        columns.replacing(",", with: " , "),
    ]) func `the columns are found with every kind of decoration`(_ line: String) throws {
        let header = try ReplayHeader(Array(line.utf8))

        let fields = (0..<9).map { "\($0)" }
        #expect(header.count == 9)
        #expect(header.field(.eventTime, of: fields) == "0")
        #expect(header.field(.userSession, of: fields) == "8")
    }

    @Test func `the order of the columns is free`() throws {
        let line = ReplayHeaderTests.columns.split(separator: ",").reversed().joined(separator: ",")

        let header = try ReplayHeader(Array(line.utf8))

        #expect(header.field(.userSession, of: ["s"]) == "s")
    }

    @Test func `columns that no event needs may be missing`() throws {
        let header = try ReplayHeader(Array("event_time,event_type,product_id,price,user_id,user_session".utf8))

        #expect(header.field(.brand, of: ["0", "1", "2", "3", "4", "5"]) == "")
    }

    @Test(arguments: [
        (columns + ",colour", "the header: unknown column 'colour'"),
        ("event_time;event_type", "the header: unknown column 'event_time;event_type'"),
        (columns + ",brand", "the header: the column brand appears twice"),
        ("event_time,event_type", "the header: the column product_id is missing"),
        ("\"event_time", "the header: a quotation mark is not closed"), ("", "the header: unknown column ''"),
    ]) func `an invalid header is refused with one line`(_ line: String, _ message: String) {
        #expect(throws: DemoError(message, code: .badData)) { try ReplayHeader(Array(line.utf8)) }
    }
}

@Suite struct CSVFieldsTests {
    @Test(arguments: [
        ("", [""]), ("a", ["a"]), ("a,b,", ["a", "b", ""]), (",,", ["", "", ""]),
        ("\"a,b\",c", ["a,b", "c"]), ("\"a\"\"b\"", ["a\"b"]), ("\"\",x", ["", "x"]), ("x,\"\"", ["x", ""]),
        ("a\"b,c", ["a\"b", "c"]), ("çanta,🧦", ["çanta", "🧦"]),
    ]) func `a line is split at its commas`(_ line: String, _ fields: [String]) throws {
        #expect(try CSVFields.split(Array(line.utf8)) == fields)
    }

    @Test(arguments: [
        ("\"a,b", "a quotation mark is not closed"), ("\"", "a quotation mark is not closed"),
        ("x,\"a\"b", "text after a quoted field"), ("x,\"a\" ,b", "text after a quoted field"),
    ]) func `a broken quotation is malformed`(_ line: String, _ reason: String) {
        #expect(throws: MalformedRow(reason)) { try CSVFields.split(Array(line.utf8)) }
    }

    @Test func `bytes that are not UTF-8 are malformed`() {
        #expect(throws: MalformedRow("not UTF-8")) { try CSVFields.split([0x61, 0xFF, 0x2C]) }
    }
}
