#if !canImport(Darwin)
import Foundation
import HTTPTransport
import LoopbackCollector
import Testing

@Suite(.timeLimit(.minutes(5))) struct CurlTransferTests {
    @Test func `a request that libcurl rejects fails, and the next one is sent`() async throws {
        let collector = try LoopbackCollector()
        let long = try #require(URL(string: "\(collector.url)/" + String(repeating: "a", count: 9_000_000)))
        let short = collector.url.url
        let transport = CurlTransport()

        await #expect(throws: TransportError.connectionFailed(code: 2)) {
            try await transport.send(HTTPRequest(url: long, body: [1]), deadline: .seconds(30))
        }
        let response = try await transport.send(HTTPRequest(url: short, body: [1]), deadline: .seconds(30))

        #expect(response.status == 200)
        #expect(collector.tally.requests == 1)
    }
}
#endif
