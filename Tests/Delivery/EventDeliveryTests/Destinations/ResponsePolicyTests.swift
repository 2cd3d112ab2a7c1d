import EventDelivery
import Testing

@Suite struct ResponsePolicyTests {
    private typealias Row = (statuses: [ClosedRange<Int>], result: @Sendable (Int) -> BatchResult)

    /// The response table of the delivery contract, row by row; a later row wins.
    private static let table: [Row] = [
        ([100...599], { _ in .paused(.intercepted) }),
        ([200...202, 204...204], { _ in .delivered }),
        ([400...499], { .suspect("status \($0)") }),
        ([400...400, 422...422], { .refused("status \($0)") }),
        ([413...414, 431...431], { _ in .tooLarge }),
        ([401...401, 403...403, 407...407], { _ in .paused(.credentials) }),
        ([404...405, 410...410, 421...421], { _ in .paused(.endpoint) }),
        ([500...599], { _ in .retry(after: nil) }),
        ([408...409, 425...425, 429...429, 499...499], { _ in .retry(after: nil) }),
        ([415...415, 501...501, 505...506, 508...508, 510...510], { _ in .paused(.protocolMismatch) }),
        ([511...511], { _ in .paused(.intercepted) }),
    ]

    @Test func `each status from 100 to 599 has the meaning in the table`() {
        var differences: [String] = []
        for status in 100...599 {
            let expected = Self.table.last { $0.statuses.contains { $0.contains(status) } }?.result(status)

            let result = ResponsePolicy.standard.result(for: HTTPResponse(status: status))

            if result != expected { differences.append("\(status): \(result)") }
        }
        #expect(differences.isEmpty)
    }

    @Test(arguments: [0, -1, 99, 600, 999, Int.max, Int.min])
    func `a number that is not a status keeps all events`(status: Int) {
        let result = ResponsePolicy.standard.result(for: HTTPResponse(status: status))

        #expect(result == .paused(.intercepted))
    }

    @Test(
        arguments: [
            HTTPResponse(status: 200, headers: ["Content-Type": "text/html"], body: Array("Sign in".utf8)),
            HTTPResponse(status: 200, headers: ["content-type": " Text/HTML; charset=utf-8"], body: Array("x".utf8)),
            HTTPResponse(status: 202, headers: ["Content-Type": "application/xhtml+xml"], body: Array(" .".utf8)),
            // The body has a compression that the client does not read, or has not arrived.
            HTTPResponse(status: 200, headers: ["Content-Type": "text/html"], extent: .limited),
            HTTPResponse(status: 200, headers: ["Content-Type": "text/html"], extent: .interrupted),
            HTTPResponse(status: 200, body: [0xEF, 0xBB, 0xBF] + Array("<!doctype html>".utf8)),
            HTTPResponse(status: 200, body: Array("\r\n<!DOCTYPE html><html>Log in".utf8)),
            HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: Array("<HTML>".utf8)),
        ]
    )
    func `a page with an acknowledging status is a captive portal's`(response: HTTPResponse) {
        #expect(ResponsePolicy.standard.result(for: response) == .paused(.intercepted))
    }

    @Test(
        arguments: [
            HTTPResponse(status: 204),
            HTTPResponse(status: 200, headers: ["Content-Type": "text/html; charset=utf-8"]),
            HTTPResponse(status: 200, headers: ["Content-Type": "application/xhtml+xml"]),
            HTTPResponse(status: 202, headers: ["Content-Type": "text/html"], body: Array("\r\n \t\u{C}".utf8)),
            HTTPResponse(status: 200, headers: ["Content-Type": "text/html"], body: [0xEF, 0xBB, 0xBF, 0x0A]),
            HTTPResponse(status: 200, headers: ["Content-Type": "text/plain"], extent: .limited),
            HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: Array("{}".utf8)),
            HTTPResponse(status: 200, headers: ["Content-Type": "text/plain"], body: Array("Ok.".utf8)),
            HTTPResponse(status: 200, headers: ["Content-Type": "application/xml"], body: Array("<ok/>".utf8)),
        ]
    )
    func `an acknowledgement with another body, or none, counts`(response: HTTPResponse) {
        #expect(ResponsePolicy.standard.result(for: response) == .delivered)
    }

    @Test func `a vendor's rows override the table's`() {
        var policy = ResponsePolicy.standard
        policy.statuses[409] = .delivered
        policy.statusClasses[3] = .retry
        policy.acknowledged = [200]

        #expect(policy.result(for: HTTPResponse(status: 409)) == .delivered)
        #expect(policy.result(for: HTTPResponse(status: 302)) == .retry(after: nil))
        #expect(policy.result(for: HTTPResponse(status: 204)) == .paused(.intercepted))
    }
}
