import LoopbackCollector
import Testing

@Suite struct CollectedValueTests {
    @Test(
        arguments: [
            ("null", .null), ("true", true), (" -0 ", 0), ("12", 12), ("1e3", 1000.0), ("-1.5E-1", -0.15),
            (#""a\"\\\/\b\f\n\r\tü\u00fc\ud83d\ude00""#, "a\"\\/\u{8}\u{c}\n\r\tüü😀"),
            ("[]", .array([])), ("[1, [2]]", .array([1, .array([2])])), ("{}", .object([:])),
            (#"{"a":{"b":[true]}, "a":1}"#, .object(["a": 1])), ("9223372036854775808", 9223372036854775808.0),
        ] as [(String, CollectedValue)]
    ) func `JSON is parsed`(text: String, value: CollectedValue) {
        #expect(CollectedValue(Array(text.utf8)) == value)
    }

    @Test(arguments: [
        "", " ", "nul", "tru", "01", "1.", ".5", "-", "+1", "1e", "NaN", "Infinity", "1e999", #"""#, #""\"#, #""\x""#,
        #""\u12"#, #""\u12g4""#, "\"\n\"", "[", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "{", #"{"a""#, #"{"a":"#,
        #"{"a":1"#, #"{"a":1,}"#, "{a:1}", #"{"a" 1}"#, "1 2", "{}x", "]",
    ]) func `invalid JSON is rejected`(text: String) {
        #expect(CollectedValue(Array(text.utf8)) == nil)
    }

    @Test func `excessive nesting is rejected without recursion`() {
        #expect(CollectedValue([UInt8](repeating: UInt8(ascii: "["), count: 100_000)) == nil)
    }

    @Test func `bytes that are not UTF-8 are rejected`() {
        #expect(CollectedValue([0x22, 0xFF, 0x22]) == nil)
    }
}
