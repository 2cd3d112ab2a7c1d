#if !canImport(Darwin)
import Foundation
import HTTPTransport
import LoopbackCollector
import Testing

@Suite(.timeLimit(.minutes(5))) struct CurlLoopTests {
    @Test func `a released transport closes its connections`() async throws {
        let collector = try LoopbackCollector()
        let request = HTTPRequest(url: collector.url.url, body: [1])
        for _ in 1...3 {
            let transport = CurlTransport()
            _ = try await transport.send(request, deadline: .seconds(10))
        }

        let tally = await collector.tally { $0.openConnections == 0 }

        #expect(tally.connections == 3)
    }
}
#endif
