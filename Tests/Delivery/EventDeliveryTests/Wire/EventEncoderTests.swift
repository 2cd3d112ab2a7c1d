import Testing

@testable import EventDelivery

@Suite struct EventEncoderTests {
    @Test func `adjustments are counted by their rules, and forgotten with the bytes`() {
        var encoder = EventEncoder()
        encoder.json.string("text")
        encoder.recordAdjustment("value_too_long")
        encoder.recordAdjustment("value_too_long")

        #expect(encoder.adjustments == ["value_too_long": 2])
        #expect(String(decoding: encoder.bytes, as: UTF8.self) == #""text""#)
        encoder.reset()
        #expect(encoder.adjustments.isEmpty)
        #expect(encoder.bytes.isEmpty)
    }
}
