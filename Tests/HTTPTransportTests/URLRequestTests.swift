import Foundation
import Testing

@testable import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct URLRequestTests {
    @Test(arguments: [
        (Duration.milliseconds(1), 2.0), (.milliseconds(1500), 3), (.seconds(30), 32), (.seconds(1_000_000), 86_402),
    ]) func `the session's time-out is a whole number of seconds behind the deadline`(
        deadline: Duration,
        seconds: Double
    ) throws {
        let request = try #require(URLRequest(try post(), deadline: deadline))

        #expect(request.timeoutInterval == seconds)
    }

    @Test func `the body's type and the answer's encoding are always named`() throws {
        let request = try #require(URLRequest(try post(), deadline: .seconds(1)))

        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/octet-stream")
        #expect(request.value(forHTTPHeaderField: "Accept-Encoding") == "identity")
    }

    @Test func `a body has no place in a GET`() throws {
        var get = try post()
        get.method = "GET"

        let request = try #require(URLRequest(get, deadline: .seconds(1)))

        #expect(request.httpBody == nil)
        #expect(request.value(forHTTPHeaderField: "Content-Type") == nil)
    }

    private func post() throws -> HTTPRequest {
        HTTPRequest(url: try #require(URL(string: "https://collector.example/")), body: [1, 2, 3])
    }
}
