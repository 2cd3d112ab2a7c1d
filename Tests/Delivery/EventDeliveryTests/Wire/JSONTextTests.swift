import CoreTracker
import Foundation
import Testing

@testable import EventDelivery

@Suite struct JSONTextTests {
    @Test(arguments: 0...40)
    func `a character that needs an escape gets it at every position`(place: Int) throws {
        for character in ["\"", "\\", "\n", "\u{1}", "\u{1F}", "\u{7F}", "é", "👩‍👩‍👧‍👦"] {
            let text = String(repeating: "x", count: place) + character + String(repeating: "y", count: 40 - place)

            let json = "[\"" + written(text, nested: false) + "\"]"

            #expect(try JSONDecoder().decode([String].self, from: Data(json.utf8)) == [text])
        }
    }

    @Test(arguments: [1, 7, 8, 9, 255, 256, 257, 511, 512, 513, 1_030], [true, false])
    func `a text of any length is written whole, as a key too`(length: Int, isEscaped: Bool) throws {
        let text = String(repeating: isEscaped ? "\u{1}" : "x", count: length)
        var writer = JSONWriter()

        writer.beginObject()
        writer.member(text, .string(text))
        writer.key(fixed: "nested")
        writer.beginString()
        writer.string(text)
        writer.endString()
        writer.endObject()

        let read = try JSONDecoder().decode([String: String].self, from: Data(writer.bytes))
        let inner = try JSONDecoder().decode(String.self, from: Data(try #require(read["nested"]).utf8))
        #expect(read[text] == text && inner == text)
    }

    @Test func `nested text is escaped once more`() throws {
        let inner = "\"\\\n\u{1}é"

        let json = "[\"[\\\"" + written(inner, nested: true) + "\\\"]\"]"

        let outer = try JSONDecoder().decode([String].self, from: Data(json.utf8))
        #expect(try JSONDecoder().decode([String].self, from: Data(try #require(outer.first).utf8)) == [inner])
    }

    @Test(arguments: [Int64.min, -10, -1, 0, 1, 9, 10, 1_000_000, .max])
    func `whole numbers are exact`(number: Int64) {
        var output = ByteBuffer()

        unsafe output.write(upTo: 20) { unsafe JSONText.write(number, at: &$0) }

        #expect(String(decoding: output.bytes, as: UTF8.self) == "\(number)")
    }

    @Test func `the largest number is exact`() {
        var output = ByteBuffer()

        unsafe output.write(upTo: 20) { unsafe JSONText.write(UInt64.max, at: &$0) }

        #expect(String(decoding: output.bytes, as: UTF8.self) == "18446744073709551615")
    }

    private func written(_ text: String, nested: Bool) -> String {
        var output = ByteBuffer()
        var text = text
        text.withUTF8 { unsafe JSONText.append($0, nested: nested, to: &output) }
        return String(decoding: output.bytes, as: UTF8.self)
    }
}
