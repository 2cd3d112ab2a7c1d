#if !canImport(Darwin)
import Foundation
import HTTPTransport
import LoopbackCollector
import Testing

@Suite(.timeLimit(.minutes(5))) struct CurlTransfersTests {
    @Test func `a waiting request ends at its deadline, or starts when a connection is free`() async throws {
        let hold = CollectorHold()
        let script = CollectorScript.accept.when({ $0.contains("held") }, .hold(hold, then: .accept))
        let collector = try LoopbackCollector(script: script)
        let (transport, url) = (CurlTransport(), collector.url.url)
        let held = (1...8).map { _ in
            Task { try await transport.send(HTTPRequest(url: url, body: Array("held".utf8)), deadline: .seconds(30)) }
        }
        _ = await collector.requests(count: 8)

        await #expect(throws: TransportError.timedOut) {
            try await transport.send(HTTPRequest(url: url, body: [1]), deadline: .milliseconds(100))
        }
        let waiting = Task { try await transport.send(HTTPRequest(url: url, body: [1]), deadline: .seconds(30)) }
        hold.release()

        #expect(try await waiting.value.status == 200)
        for task in held { #expect(try await task.value.status == 200) }
        #expect(collector.tally.connections == 8)
    }
}
#endif
