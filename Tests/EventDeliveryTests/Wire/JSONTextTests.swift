import Foundation
import Testing

@testable import EventDelivery

@Suite struct JSONTextTests {
    @Test(arguments: 0...40)
    func `a character that must be escaped is, wherever it stands`(place: Int) throws {
        for character in ["\"", "\\", "\n", "\u{1}", "\u{1F}", "\u{7F}", "é", "👩‍👩‍👧‍👦"] {
            let text = String(repeating: "x", count: place) + character + String(repeating: "y", count: 40 - place)

            let json = "[\"" + written(text, nested: false) + "\"]"

            #expect(try JSONDecoder().decode([String].self, from: Data(json.utf8)) == [text])
        }
    }

    @Test func `nested text is escaped once more`() throws {
        let inner = "\"\\\n\u{1}é"

        let json = "[\"[\\\"" + written(inner, nested: true) + "\\\"]\"]"

        let outer = try JSONDecoder().decode([String].self, from: Data(json.utf8))
        #expect(try JSONDecoder().decode([String].self, from: Data(try #require(outer.first).utf8)) == [inner])
    }

    @Test(arguments: [Int64.min, -10, -1, 0, 1, 9, 10, 1_000_000, .max])
    func `whole numbers are exact`(number: Int64) {
        var bytes: [UInt8] = []

        JSONText.append(number, to: &bytes)

        #expect(String(decoding: bytes, as: UTF8.self) == "\(number)")
    }

    @Test func `the largest number is exact`() {
        var bytes: [UInt8] = []

        JSONText.append(UInt64.max, to: &bytes)

        #expect(String(decoding: bytes, as: UTF8.self) == "18446744073709551615")
    }

    private func written(_ text: String, nested: Bool) -> String {
        var bytes: [UInt8] = []
        var text = text
        text.withUTF8 { unsafe JSONText.append($0, nested: nested, to: &bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
