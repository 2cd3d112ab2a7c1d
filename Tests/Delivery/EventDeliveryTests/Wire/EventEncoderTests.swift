import Testing

@testable import EventDelivery

@Suite struct EventEncoderTests {
    @Test func `repairs are counted by their rules, and forgotten with the bytes`() {
        var encoder = EventEncoder()
        encoder.json.string("text")
        encoder.repaired("value_too_long")
        encoder.repaired("value_too_long")

        #expect(encoder.repairs == ["value_too_long": 2])
        #expect(String(decoding: encoder.bytes, as: UTF8.self) == #""text""#)
        encoder.reset()
        #expect(encoder.repairs.isEmpty)
        #expect(encoder.bytes.isEmpty)
    }
}
