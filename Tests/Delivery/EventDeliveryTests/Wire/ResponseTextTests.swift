import Testing

@testable import EventDelivery

@Suite struct ResponseTextTests {
    @Test func `control characters become spaces`() {
        #expect(ResponseText.reason("bad\r\nline\u{0}\u{1B}[31m ü") == "bad  line  [31m ü")
    }

    @Test(arguments: [(199, 199), (200, 200), (201, 200)])
    func `a long text is cut`(length: Int, kept: Int) {
        #expect(ResponseText.reason(String(repeating: "x", count: length)).count == kept)
    }

    @Test(
        arguments: [
            "\u{202A}", "\u{202B}", "\u{202C}", "\u{202D}", "\u{202E}", "\u{2066}", "\u{2067}", "\u{2068}", "\u{2069}",
            "\u{2028}", "\u{2029}", "\u{200E}", "\u{200F}", "\u{061C}", "\u{FEFF}", "\u{85}",
        ]
    )
    func `characters that change the direction of text or end a line become a space`(character: String) {
        #expect(ResponseText.reason("a\(character)b") == "a b")
        #expect(!ResponseText.snippet(Array("a\(character)b".utf8)).contains(character))
    }
}
