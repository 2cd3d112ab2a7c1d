import EventDelivery
import Testing

@testable import AwesomeTracking

@Suite struct ClickHouseResponsesTests {
    @Test(arguments: 100...599)
    func `the table has a meaning for every status without a code`(status: Int) {
        let result = ClickHouseResponses.standard.result(for: HTTPResponse(status: status))

        let expected: BatchResult =
            switch status {
            case 200, 201, 202, 204: .delivered
            case 400, 422: .refused("status \(status)")
            case 401, 403, 407: .paused(.credentials)
            case 404, 405, 410, 414, 421: .paused(.endpoint)
            case 411, 415, 431, 501, 505, 506, 508, 510: .paused(.protocolMismatch)
            case 413: .tooLarge
            case 408, 409, 425, 429, 499: .retry(after: nil)
            case 402...499: .suspect("status \(status)")
            case 511, 100...399: .paused(.intercepted)
            default: .retry(after: nil)
            }
        #expect(result == expected)
    }

    @Test(arguments: [
        (
            [
                32, 75, 159, 198, 201, 202, 203, 209, 210, 225, 236, 241, 242, 243, 252, 279, 285, 286, 319, 354, 394,
                439, 700, 745, 999,
            ],
            BatchResult.retry(after: nil)
        ),
        ([8, 10, 16], .paused(.missingColumn)), ([60, 81, 218], .paused(.missingTable)),
        ([44, 46, 47, 48, 62, 73, 115, 344, 392, 446, 452, 472, 620, 774], .paused(.protocolMismatch)),
        ([164, 180, 192, 193, 194, 195, 199, 291, 492, 496, 497, 511, 512, 516, 720], .paused(.credentials)),
    ])
    func `a known code decides, regardless of the status and the release`(codes: [Int], expected: BatchResult) {
        for code in codes {
            for response in ClickHouseResponsesTests.responses(code) {
                #expect(ClickHouseResponses.standard.result(for: response) == expected, "code \(code)")
            }
        }
    }

    @Test(arguments: [
        6, 25, 26, 27, 38, 41, 53, 69, 72, 117, 130, 131, 190, 306, 321, 349, 376, 395, 407, 441, 467, 469, 675, 676,
        691,
    ])
    func `a code for a faulty row rejects the batch, which starts bisecting`(code: Int) {
        for response in ClickHouseResponsesTests.responses(code) {
            #expect(ClickHouseResponses.standard.result(for: response) == .refused("code \(code)"))
        }
    }

    @Test func `the tables of codes name each code once and are all tested`() {
        let listed = [
            6, 8, 10, 16, 25, 26, 27, 32, 38, 41, 44, 46, 47, 48, 53, 60, 62, 69, 72, 73, 75, 81, 115, 117, 130, 131,
            159, 164, 180, 190, 192, 193, 194, 195, 198, 199, 201, 202, 203, 209, 210, 218, 225, 236, 241, 242, 243,
            252, 279, 285, 286, 291, 306, 319, 321, 344, 349, 354, 376, 392, 394, 395, 407, 439, 441, 446, 452, 467,
            469, 472, 492, 496, 497, 511, 512, 516, 620, 675, 676, 691, 700, 720, 745, 774, 999,
        ]

        #expect(ClickHouseResponses.standard.codes.keys.sorted() == listed)
    }

    @Test(arguments: [200, 500])
    func `an unknown code is a refusal without a reason`(status: Int) {
        let response = HTTPResponse(status: status, body: Array("Code: 49, e.displayText() = …".utf8))

        #expect(ClickHouseResponses.standard.result(for: response) == .suspect("code 49"))
    }

    @Test(arguments: [(404, BatchResult.paused(.endpoint)), (503, .retry(after: nil)), (400, .refused("status 400"))])
    func `an unknown code does not change the meaning of other statuses`(status: Int, expected: BatchResult) {
        let response = HTTPResponse(status: status, body: Array("Code: 49. DB::Exception: …".utf8))

        #expect(ClickHouseResponses.standard.result(for: response) == expected)
    }

    @Test(
        arguments: [
            ("Code: 60. DB::Exception", 60), ("Code: 117, e.displayText()", 117), ("Code: 60", 0), ("Code: x. y", 0),
            ("Code: 99999999999999999999.", 0), ("code: 60. x", nil), (" Code: 60. x", nil), ("", nil), ("Ok.\n", nil),
            ("\nCode: 60. x", 60), ("\r\n__exception__\r\nabcdefghijklmnop\r\nCode: 252. DB::Exception: …", 252),
            (#"{"exception": "Code: 27. DB::Exception: …"}"#, 27), ("{}\n__exception__\n", 0),
            ("1\tCode: 5\nCode: x", 0), ("Status Code: 60.", nil), (#"{"exception": "…"}"#, 0),
            ("1\tDB::Exception: …", 0),
        ] as [(String, Int?)]
    )
    func `the code is at the start of a line, or an exception is marked`(body: String, code: Int?) {
        let response = HTTPResponse(status: 500, body: Array(body.utf8))

        #expect(ClickHouseResponses.exceptionCode(of: response) == code)
    }

    @Test func `the code in the header overrides the one in the body`() {
        let headers = ["X-ClickHouse-Exception-Code": "241"]
        let response = HTTPResponse(status: 500, headers: headers, body: Array("Code: 27. x".utf8))

        #expect(ClickHouseResponses.exceptionCode(of: response) == 241)
    }

    @Test(arguments: ["<html>", "<!DOCTYPE html>"])
    func `an HTML page instead of an acknowledgement pauses the lane`(body: String) {
        let plain = HTTPResponse(status: 200, body: Array(body.utf8))
        let typed = HTTPResponse(status: 200, headers: ["Content-Type": "text/html"], body: Array("Sign in".utf8))

        #expect(ClickHouseResponses.standard.result(for: plain) == .paused(.intercepted))
        #expect(ClickHouseResponses.standard.result(for: typed) == .paused(.intercepted))
    }

    @Test(arguments: ["", "\r\n"])
    func `a blank body is an acknowledgement, even if its type is HTML`(body: String) {
        let response = HTTPResponse(status: 200, headers: ["Content-Type": "text/html"], body: Array(body.utf8))

        #expect(ClickHouseResponses.standard.result(for: response) == .delivered)
    }

    @Test func `a wait that a proxy asks for is respected`() {
        let response = HTTPResponse(status: 503, headers: ["Retry-After": "7"], body: Array("Code: 252. x".utf8))

        #expect(ClickHouseResponses.standard.result(for: response) == .retry(after: .seconds(7)))
    }

    /// Returns responses with a code in the body of old and current releases and in the header, each with several
    /// statuses.
    private static func responses(_ code: Int) -> [HTTPResponse] {
        let old = Array("Code: \(code), e.displayText() = DB::Exception: … (at row 2), e.what() = DB::Exception".utf8)
        let current = Array("Code: \(code). DB::Exception: … (NAME) (version 24.8)".utf8)
        return [200, 400, 404, 500].flatMap { status in
            [
                HTTPResponse(status: status, body: old), HTTPResponse(status: status, body: current),
                HTTPResponse(status: status, headers: ["x-clickhouse-exception-code": "\(code)"]),
            ]
        }
    }
}
