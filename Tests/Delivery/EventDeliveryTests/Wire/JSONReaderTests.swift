import CoreTracker
import EventDeliveryTesting
import Testing

@testable import EventDelivery

@Suite struct JSONReaderTests {
    @Test func `parameters of every kind are read as they were written, in their order`() {
        let parameters: EventParameters = [
            "b": "a\"\\/\u{8}\t\n\u{C}\r\u{0}\u{1F}\u{7F}\u{2028}", "a": .int(.max), "": .double(1e300), "t": true,
            "f": false, "l": [[], [:], ["x": [1.5, -7]]], "d": .double(-0.0),
        ]

        #expect(read(written(parameters)) == parameters)
    }

    @Test func `unsupported values are left out of a list, and the others stay`() {
        #expect(read(written(["l": [1, .double(.nan), 2]])) == ["l": [1, 2]])
    }

    @Test func `values nested to the writer's maximum depth are read`() {
        var value: ParameterValue = 1
        for _ in 1..<JSONWriter.maximumDepth - 1 { value = [value] }

        #expect(read(written(["v": value])) == ["v": value])
    }

    @Test(arguments: [
        "", "{", "}", "{}x", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":1"#, #"{"a":[1}"#, #"{"a":--1}"#, #"{"a":"x}"#,
        #"{"a":"\u12"}"#, #"{"a":"\ud800"}"#, #"{"a":"\u"#, #"{"a":"\"#, #"{"a":tru}"#, #"{"a":nul}"#, "[1]", "7",
        "\u{0}",
        #"{a:1}"#, String(repeating: "[", count: 60_000), #"{"a":"# + String(repeating: "[", count: 60_000),
        #"{"a":"# + String(repeating: #"{"a":"#, count: 60_000),
    ])
    func `JSON in any other form is refused, and nothing traps`(text: String) {
        #expect(read(Array(text.utf8)) == nil)
    }

    @Test func `every truncated text is refused`() {
        let bytes = written(["text": "ü\n\u{1}", "list": [1, -2.5, true, ["x": "y"]]])

        for count in bytes.indices { #expect(read(Array(bytes[..<count])) == nil) }
    }

    @Test func `a text with any bit changed is refused or read as another value`() {
        let parameters: EventParameters = ["text": "a\n\u{1}", "list": [1, -2.5, true, ["x": "y"]]]
        let bytes = written(parameters)

        for (index, bit) in bytes.indices.flatMap({ index in (0..<8).map { (index, $0) } }) {
            var changed = bytes
            changed[index] ^= 1 << bit
            #expect(read(changed) != parameters, "bit \(bit) of byte \(index)")
        }
    }

    private func read(_ bytes: [UInt8]) -> EventParameters? { JSONReader.object(in: bytes[...]) }

    private func written(_ parameters: EventParameters) -> [UInt8] {
        var json = JSONWriter()
        json.object(parameters)
        return json.bytes
    }
}
