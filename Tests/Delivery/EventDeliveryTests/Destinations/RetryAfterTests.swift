import Testing

@testable import EventDelivery

@Suite struct RetryAfterTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    @Test(
        arguments: [
            ("2", Duration.seconds(2)), (" 7\t", .seconds(7)), ("0", .zero), ("1000000000", .seconds(86_400)),
            ("99999999999999999999999", .seconds(86_400)), ("-1", nil), ("1e9", nil), ("inf", nil), ("NaN", nil),
            ("2, 3", nil), ("2.5", nil), ("", nil), ("soon", nil), ("٣", nil),
        ]
    )
    func `seconds are clamped, and nonsense asks for nothing`(text: String, wait: Duration?) {
        let response = HTTPResponse(status: 429, headers: ["Retry-After": text, "Date": Self.date])

        #expect(RetryAfter.wait(in: response) == wait)
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:50:37 GMT", Duration.seconds(60)),
            ("Sunday, 06-Nov-94 08:50:37 GMT", .seconds(60)),
            ("Sun Nov  6 08:50:37 1994", .seconds(60)),
            ("Sun, 06 Nov 1994 08:48:37 GMT", .zero),
            ("Tue, 06 Nov 2035 08:49:37 GMT", .seconds(86_400)),
            ("Sun, 06 Nov 1994 08:50:37 CET", nil),
            ("Sun, 06 Nov 1994 25:50:37 GMT", nil),
        ]
    )
    func `a date in each form of the standard is measured from the response's own date`(
        text: String,
        wait: Duration?
    ) {
        let response = HTTPResponse(status: 503, headers: ["Retry-After": text, "Date": Self.date])

        #expect(RetryAfter.wait(in: response) == wait)
    }

    @Test(arguments: [[:], ["Date": "yesterday"], ["Date": ""]])
    func `a date without a date to measure it from asks for nothing`(headers: [String: String]) {
        let headers = headers.merging(["Retry-After": Self.date]) { $1 }

        #expect(RetryAfter.wait(in: HTTPResponse(status: 503, headers: headers)) == nil)
    }

    @Test func `no header asks for nothing`() {
        #expect(RetryAfter.wait(in: HTTPResponse(status: 503)) == nil)
    }
}
