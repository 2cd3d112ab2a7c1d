#if !canImport(Darwin)
import Foundation
import Testing

@testable import HTTPTransport

@Suite struct CurlExchangeTests {
    @Test func `only the first result counts`() async throws {
        let url = try #require(URL(string: "http://127.0.0.1/"))
        let request = try #require(WireRequest(HTTPRequest(url: url, body: [])))
        let exchange = CurlExchange(id: 1, request, deadline: .now)

        exchange.complete(.failure(.timedOut))
        let result = await withCheckedContinuation { sender in
            exchange.begin(sender)
            exchange.complete(.failure(.cancelled))
            exchange.complete(.success(HTTPResponse(status: 200)))
        }

        #expect(result == .failure(.cancelled))
    }
}
#endif
