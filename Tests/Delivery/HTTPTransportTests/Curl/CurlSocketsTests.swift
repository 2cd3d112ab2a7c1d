#if !canImport(Darwin)
import Foundation
import HTTPTransport
import LoopbackCollector
import Testing

@Suite(.timeLimit(.minutes(5))) struct CurlSocketsTests {
    @Test func `data on an idle connection is not read as the next response`() async throws {
        // The response fills libcurl's receive buffer, so the unexpected data stays on the connection.
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 984\r\n\r\n"
        let response = head + String(repeating: "x", count: 1024 - head.utf8.count)
        let unasked = "HTTP/1.1 500 Unasked\r\nContent-Length: 0\r\n\r\n"
        let collector = try LoopbackCollector(script: .always(.raw(Array((response + unasked).utf8), then: nil)))
        let request = HTTPRequest(url: collector.url.url, body: [])
        let transport = CurlTransport()

        var statuses: [Int] = []
        for _ in 1...3 { statuses.append(try await transport.send(request, deadline: .seconds(10)).status) }

        #expect(statuses == [200, 200, 200])
        #expect(collector.tally.requests == 3)
    }

    @Test func `cancelling discards data that the system has not sent yet`() async throws {
        for _ in 1...3 {
            let hold = CollectorHold()
            let held = try LoopbackCollector(script: .accept.receiving { _ in .hold(hold, afterBytes: 1000) })
            let (other, transport) = (try LoopbackCollector(), CurlTransport())
            let sending = Task { try await transport.send(post(to: held, bytes: 400_000), deadline: .seconds(60)) }
            await held.tally { $0.startedRequests == 1 }
            // Gives libcurl time to pass the whole body to the system, which can send about 64 kB of it.
            for _ in 1...5 { _ = try await transport.send(post(to: other, bytes: 1), deadline: .seconds(60)) }

            sending.cancel()
            await #expect(throws: TransportError.cancelled) { try await sending.value }
            hold.release()

            let tally = await held.tally { $0.openConnections == 0 }
            #expect(tally.requests == 0)
        }
    }

    private func post(to collector: LoopbackCollector, bytes: Int) throws -> HTTPRequest {
        HTTPRequest(url: collector.url.url, body: [UInt8](repeating: 65, count: bytes))
    }
}
#endif
