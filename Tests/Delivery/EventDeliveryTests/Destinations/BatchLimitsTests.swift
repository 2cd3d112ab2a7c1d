import EventDelivery
import Testing

@Suite struct BatchLimitsTests {
    @Test func `the maximum size of an event follows the space in a body`() {
        var limits = BatchLimits(events: 10, bodyBytes: 64_000, framingBytes: 1_000, eventBytes: 50_000)

        limits.bodyBytes = 32_000
        #expect(limits.eventBytes == 31_000)
        limits.framingBytes = 2_000
        #expect(limits.eventBytes == 30_000)
        limits.eventBytes = 40_000
        #expect(limits.eventBytes == 30_000)
        limits.bodyBytes = 0
        #expect(limits.eventBytes == 1 && limits.bodyBytes == 1)
    }
}
