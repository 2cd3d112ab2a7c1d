import EventDelivery
import Testing

@Suite struct AnswerTextTests {
    @Test func `control characters become spaces`() {
        #expect(AnswerText.reason("bad\r\nline\u{0}\u{1B}[31m ü") == "bad  line  [31m ü")
    }

    @Test(arguments: [(199, 199), (200, 200), (201, 200)])
    func `a long text is cut`(length: Int, kept: Int) {
        #expect(AnswerText.reason(String(repeating: "x", count: length)).count == kept)
    }
}
