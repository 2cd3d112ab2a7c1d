import CoreTracker
import Testing

@testable import EventDelivery

@Suite struct JSONWriterTests {
    @Test(arguments: [
        ("", #""""#),
        ("plain", #""plain""#),
        ("a\"b", #""a\"b""#),
        (#"back\slash"#, #""back\\slash""#),
        ("\u{0}\u{1}\u{1F}\u{7F}", "\"\\u0000\\u0001\\u001f\u{7F}\""),
        ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#),
        ("a\r\nb", #""a\r\nb""#),
        ("\u{2028}\u{2029}", "\"\u{2028}\u{2029}\""),
        (#""]},{"x":"#, #""\"]},{\"x\":""#),
        ("👩‍👩‍👧 عربي", "\"👩‍👩‍👧 عربي\""),
        ("12345678\"", #""12345678\"""#),
        ("1234567\\89", #""1234567\\89""#),
    ])
    func `text is quoted, and escaped only where JSON demands it`(text: String, json: String) {
        var writer = JSONWriter()

        writer.string(text)

        #expect(String(decoding: writer.bytes, as: UTF8.self) == json)
    }

    @Test func `text of unpaired surrogates is written as replacement characters`() {
        let text = String(decoding: [0xD83D, 0x0041] as [UInt16], as: UTF16.self)
        var writer = JSONWriter()

        writer.string(text)

        #expect(String(decoding: writer.bytes, as: UTF8.self) == "\"\u{FFFD}A\"")
    }

    @Test(arguments: [
        (Int64.min, "-9223372036854775808"), (-1, "-1"), (0, "0"), (7, "7"), (10, "10"),
        (9_007_199_254_740_993, "9007199254740993"), (Int64.max, "9223372036854775807"),
    ])
    func `whole numbers are exact`(number: Int64, json: String) {
        var writer = JSONWriter()

        writer.int(number)

        #expect(String(decoding: writer.bytes, as: UTF8.self) == json)
    }

    @Test func `a whole number above the signed range is exact`() {
        var writer = JSONWriter()

        writer.int(UInt64.max)

        #expect(String(decoding: writer.bytes, as: UTF8.self) == "18446744073709551615")
    }

    @Test(arguments: [
        0.1, -0.0, 1e308, -1e308, .leastNonzeroMagnitude, 1e-7, 123_456_789.123, 1e16, .pi, .greatestFiniteMagnitude,
        .leastNormalMagnitude,
    ])
    func `numbers come back bit for bit`(number: Double) throws {
        var writer = JSONWriter()

        writer.double(number)

        let text = String(decoding: writer.bytes, as: UTF8.self)
        #expect(Double(text)?.bitPattern == number.bitPattern)
        #expect(try ParsedJSON(parsing: writer.bytes).isEqual(to: .double(number)))
    }

    @Test(arguments: [Double.nan, .signalingNaN, .infinity, -.infinity])
    func `a number that is not finite leaves a member out, is null in a list, and is counted`(number: Double) {
        var writer = JSONWriter()

        writer.object(["a": 1, "x": .double(number), "list": [.double(number), 2]])

        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"a":1,"list":[null,2]}"#)
        #expect(writer.coercions == 2)
    }

    @Test(arguments: [0, 65_535, 65_536])
    func `text up to 64 KiB is written`(length: Int) {
        var writer = JSONWriter()

        writer.object(["x": .string(String(repeating: "x", count: length))])

        #expect(writer.bytes.count == length + 8)
        #expect(writer.oversizedStrings == 0)
    }

    @Test func `text beyond 64 KiB leaves a member out, is null in a list, and is counted`() {
        let long = ParameterValue.string(String(repeating: "x", count: 65_537))
        let longKey = ParameterKey(String(repeating: "k", count: 65_537))
        var writer = JSONWriter()

        writer.object(["a": long, longKey: 1, "list": [long], "b": 2])

        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"list":[null],"b":2}"#)
        #expect(writer.oversizedStrings == 3)
        #expect(writer.coercions == 3)
    }

    @Test(arguments: [(31, 0), (32, 0), (33, 1), (64, 1)])
    func `nesting is written down to 32 levels, and deeper values become null`(depth: Int, coercions: Int) throws {
        let value = (1..<depth).reduce(ParameterValue.array([])) { value, _ in .array([value]) }
        var writer = JSONWriter()

        writer.value(value)

        #expect(writer.coercions == coercions)
        #expect(writer.bytes.count == (coercions == 0 ? depth * 2 : 68))
    }

    @Test func `a fixed key and a checked key look like any other`() {
        var writer = JSONWriter()

        writer.beginObject()
        writer.key(fixed: "first")
        writer.bool(true)
        writer.key(verbatim: "second")
        writer.null()
        writer.member(fixed: "third", "x")
        writer.endObject()

        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"first":true,"second":null,"third":"x"}"#)
    }

    @Test func `rewinding to a mark removes the later output`() {
        var writer = JSONWriter()
        writer.beginArray()
        writer.int(1)

        let mark = writer.mark
        writer.string("x")
        writer.rewind(to: mark)
        writer.int(2)
        writer.endArray()

        #expect(String(decoding: writer.bytes, as: UTF8.self) == "[1,2]")
    }

    @Test func `JSON within a string is escaped again`() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key(fixed: "props")

        writer.beginString()
        writer.object(["q\"": "a\"b\\c\n\u{1}", "id": [1, true]])
        writer.endString()
        writer.key(fixed: "next")
        writer.id(EventID(high: 0x0198_C7E2_5F0A_7C31, low: 0x9A55_1F2E_3D4C_5B6A))
        writer.endObject()

        let json =
            #"{"props":"{\"q\\\"\":\"a\\\"b\\\\c\\n\\u0001\",\"id\":[1,true]}","#
            + #""next":"0198c7e2-5f0a-7c31-9a55-1f2e3d4c5b6a"}"#
        #expect(String(decoding: writer.bytes, as: UTF8.self) == json)
    }

    @Test func `encoded JSON is written unchanged, and is escaped inside a string`() {
        var writer = JSONWriter()
        writer.beginArray()

        writer.raw(Array(#"{"a":"\n"}"#.utf8))
        writer.beginString()
        writer.raw(Array(#"{"a":"\n"}"#.utf8))
        writer.endString()
        writer.endArray()

        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"[{"a":"\n"},"{\"a\":\"\\n\"}"]"#)
    }

    @Test func `an emptied writer starts anew`() {
        var writer = JSONWriter()
        writer.value([1, .double(.nan)])
        writer.beginString()

        writer.reset()
        writer.string("\"")

        #expect(String(decoding: writer.bytes, as: UTF8.self) == #""\"""#)
        #expect(writer.coercions == 0)
    }

    @Test(arguments: 0..<8)
    func `a parser reads each written value back`(seed: UInt64) throws {
        var values = HostileValues(seed: seed)
        for _ in 0..<250 {
            let value = values.next()
            var writer = JSONWriter()
            writer.beginArray()

            writer.value(value)
            writer.beginString()
            writer.value(value)
            writer.endString()
            writer.endArray()

            guard case .array(let parsed) = try ParsedJSON(parsing: writer.bytes), parsed.count == 2,
                case .string(let inner) = parsed[1]
            else {
                Issue.record("\(value) was written as \(String(decoding: writer.bytes, as: UTF8.self))")
                return
            }
            #expect(parsed[0].isEqual(to: value))
            #expect(try ParsedJSON(parsing: Array(inner.utf8)).isEqual(to: value))
        }
    }
}
