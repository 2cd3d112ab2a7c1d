import Testing

@testable import EventDelivery

@Suite struct TimestampHTTPDateTests {
    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", Int64(784_111_777)),
            ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
            ("Tue, 29 Feb 2028 12:00:00 GMT", 1_835_438_400),
            ("Friday, 31-Dec-99 23:59:60 GMT", 946_684_800),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ]
    )
    func `each form of a date is read`(text: String, seconds: Int64) {
        #expect(Timestamp(httpDate: text)?.seconds == seconds)
    }

    @Test(
        arguments: [
            "", "GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 6x Nov 1994 08:49:37 GMT",
            "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 199 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
            "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 -8:49:37 GMT",
            "2026-03-01T10:00:00Z", "06 Nov 1994 08:49:37 GMT extra", "Sun Nov 6 1994 08:49:37",
        ]
    )
    func `a text that is not a date is not read`(text: String) {
        #expect(Timestamp(httpDate: text) == nil)
    }

    @Test(arguments: [Int64(0), -1, 784_111_777, 951_782_400, 1_772_359_200, 253_402_300_799, -62_167_219_200])
    func `a moment that is written is read again`(seconds: Int64) {
        let text = Timestamp(microseconds: seconds * 1_000_000).httpDate

        #expect(Timestamp(httpDate: text)?.seconds == seconds)
    }

    @Test func `a moment is written as the standard's example`() {
        let moment = Timestamp(microseconds: 784_111_777_999_999)

        #expect(moment.httpDate == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(Timestamp(microseconds: .max).httpDate == "Fri, 31 Dec 9999 23:59:59 GMT")
    }
}
