#if !canImport(Darwin)
import Foundation
import LoopbackCollector
import Testing
@testable import HTTPTransport

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
        for _ in 1...3 { statuses.append(try await transport.send(request, timeout: .seconds(10)).status) }

        #expect(statuses == [200, 200, 200])
        #expect(collector.tally.requests == 3)
    }

    @Test func `cancelling discards data that the system has not sent yet`() async throws {
        for _ in 1...3 {
            let hold = CollectorHold()
            let held = try LoopbackCollector(script: .accept.receiving { _ in .hold(hold, afterBytes: 1000) })
            let (other, transport) = (try LoopbackCollector(), CurlTransport())
            let sending = Task { try await transport.send(post(to: held, bytes: 400_000), timeout: .seconds(60)) }
            await held.tally { $0.startedRequests == 1 }
            // Gives libcurl time to pass the whole body to the system, which can send about 64 kB of it.
            for _ in 1...5 { _ = try await transport.send(post(to: other, bytes: 1), timeout: .seconds(60)) }

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

@Suite(.timeLimit(.minutes(5))) struct CurlWatchTests {
    @Test func `an exchange without a result is completed at its earliest scheduled time`() async throws {
        let (watch, exchange) = (CurlWatch(), try exchange(1))

        let result = await withCheckedContinuation { sender in
            exchange.begin(sender)
            watch.insist(on: .timedOut, of: exchange, at: .now + .seconds(600))
            watch.insist(on: .cancelled, of: exchange, at: .now + .milliseconds(20))
            watch.insist(on: .timedOut, of: exchange, at: .now + .seconds(300))
        }

        #expect(result == .failure(.cancelled))
    }

    @Test func `the alarm continues with the next exchange and skips completed ones`() async throws {
        let watch = CurlWatch()
        let exchanges = try (1...3).map { try exchange(UInt($0)) }

        let results = await withTaskGroup(of: (Int, Result<HTTPResponse, TransportError>).self) { group in
            for (index, exchange) in exchanges.enumerated() {
                group.addTask {
                    let result = await withCheckedContinuation { sender in
                        exchange.begin(sender)
                        watch.insist(on: .timedOut, of: exchange, at: .now + .milliseconds(20 * (index + 1)))
                        if index == 1 { exchange.complete(.success(HTTPResponse(status: 200))) }
                    }
                    watch.remove(exchange)
                    return (index, result)
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }

        #expect(results[0] == .failure(.timedOut))
        #expect(results[1] == .success(HTTPResponse(status: 200)))
        #expect(results[2] == .failure(.timedOut))
    }

    private func exchange(_ id: UInt) throws -> CurlExchange {
        let url = try #require(URL(string: "http://127.0.0.1/"))
        let request = try #require(WireRequest(HTTPRequest(url: url, body: [])))
        return CurlExchange(id: id, request, deadline: .now)
    }
}
#endif
