import Testing

@testable import EventDelivery

@Suite struct RetryAfterResetTests {
    @Test(
        arguments: [
            ("1772359230", "Sun, 01 Mar 2026 10:00:00 GMT", Duration.seconds(30)),
            (" 1772359200 ", "Sun, 01 Mar 2026 10:00:00 GMT", .zero),
            ("1772359100", "Sun, 01 Mar 2026 10:00:00 GMT", .zero),
            ("9999999999999", "Sun, 01 Mar 2026 10:00:00 GMT", .seconds(86_400)),
            ("-9223372036854775808", "Sun, 01 Mar 2026 10:00:00 GMT", nil),
            ("99999999999999999999", "Sun, 01 Mar 2026 10:00:00 GMT", nil),
            ("soon", "Sun, 01 Mar 2026 10:00:00 GMT", nil),
            ("1772359230", "yesterday", nil),
        ]
    )
    func `the wait until a reset is measured from the response's own date`(reset: String, date: String, wait: Duration?)
    {
        let response = HTTPResponse(status: 429, headers: ["X-RateLimit-Reset": reset, "Date": date])

        #expect(RetryAfter.wait(in: response, untilEpochSecondOf: "x-ratelimit-reset") == wait)
    }
}
