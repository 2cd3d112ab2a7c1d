#if !canImport(Darwin)
import Foundation
import HTTPTransport
import LoopbackCollector
import Testing

@Suite(.timeLimit(.minutes(5))) struct CurlLibraryTests {
    @Test func `a process exits normally during handshakes and responses`() async throws {
        await #expect(processExitsWith: .exitCode(7)) {
            let handshakes = try LoopbackCollector(script: .accept.opening { .neverRespond })
            let responses = try LoopbackCollector(script: .always(.trickle(CollectorResponse(200), every: .seconds(1))))
            let transport = CurlTransport()
            for url in ["https://127.0.0.1:\(handshakes.port)", "\(responses.url)"] {
                let request = HTTPRequest(url: try #require(URL(string: url)), body: [1])
                for _ in 1...8 { Task { try await transport.send(request, deadline: .seconds(60)) } }
            }
            for collector in [handshakes, responses] { await collector.tally { $0.connections == 8 } }
            exit(7)
        }
    }
}
#endif
