import LoopbackCollector
import Testing

@testable import EventInspector

@Suite struct JSONBuilderTests {
    @Test(arguments: ["", "plain", "a\"b\\c", "line\nend\r\t\u{0}\u{1F}", "</script><!--", "ü 𝄞 \u{2028}", "\u{7F}"])
    func `any text is preserved, on one line and without the start of a tag`(text: String) {
        let quoted = JSONBuilder.quoted(text)

        #expect(CollectedValue(Array(quoted.utf8)) == .string(text))
        #expect(!quoted.contains("<") && !quoted.utf8.contains(0x0A) && !quoted.utf8.contains(0x0D))
    }

    @Test func `parts are separated correctly`() {
        var json = JSONBuilder()
        json.object { json in
            json.key("a")
            json.array { json in
                json.raw("1")
                json.object { _ in }
                json.string("x")
            }
            json.member("b", 2)
        }

        #expect(json.text == #"{"a":[1,{},"x"],"b":2}"#)
    }

    @Test func `a value is written as it was read, with its members ordered by name`() {
        let text = #"{"b":[1,2.5,null,true],"a":"ü"}"#

        #expect(CollectedValue(Array(text.utf8))?.json == #"{"a":"ü","b":[1,2.5,null,true]}"#)
    }
}
