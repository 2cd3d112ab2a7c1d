#if canImport(Darwin) || URLSESSION_ON_LINUX
import Foundation
import Testing

@testable import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct URLRequestTests {
    @Test(arguments: [
        (Duration.milliseconds(1), 2.0), (.milliseconds(1500), 3), (.seconds(30), 32), (.seconds(1_000_000), 86_402),
    ]) func `the session's time-out is in whole seconds and later than the deadline`(
        deadline: Duration,
        seconds: Double
    ) throws {
        let request = URLRequest(try #require(WireRequest(try post())), deadline: deadline)

        #expect(request.timeoutInterval == seconds)
    }

    private func post() throws -> HTTPRequest {
        HTTPRequest(url: try #require(URL(string: "https://collector.example/")), body: [1, 2, 3])
    }
}
#endif
