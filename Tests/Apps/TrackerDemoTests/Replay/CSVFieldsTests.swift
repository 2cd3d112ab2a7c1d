import Testing

@testable import TrackerDemo

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
