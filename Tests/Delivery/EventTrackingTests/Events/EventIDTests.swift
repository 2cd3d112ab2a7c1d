import EventDeliveryTesting
import EventTracking
import Testing

@Suite struct EventIDTests {
    @Test func `an id's text is that of a UUID, and is parsed as the same id`() {
        let id = EventID(high: 0x0195_5E6F_1234_7ABC, low: 0x8DEF_0123_4567_89AB)

        #expect("\(id)" == "01955e6f-1234-7abc-8def-0123456789ab")
        #expect(EventID("\(id)") == id)
        #expect(EventID("01955E6F-1234-7ABC-8DEF-0123456789AB") == id)
    }

    @Test(arguments: [
        "", "01955e6f-1234-7abc-8def-0123456789a", "01955e6f-1234-7abc-8def-0123456789abc",
        "01955e6f01234-7abc-8def-0123456789ab", "01955e6g-1234-7abc-8def-0123456789ab",
        "-1955e6f-1234-7abc-8def-0123456789ab", "+1955e6f-1234-7abc-8def-0123456789ab",
        "01955e6f-1234-7abc-8def-0123456789é",
    ])
    func `any other text is rejected`(text: String) {
        #expect(EventID(text) == nil)
    }

    @Test func `ids are sorted by their first half, then by their second`() {
        let ids = [EventID(high: 1, low: 2), EventID(high: 1, low: 3), EventID(high: 2, low: 0)]

        #expect(ids.reversed().sorted() == ids)
    }
}
