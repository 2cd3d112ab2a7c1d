#if !canImport(Darwin)
import Foundation
import LoopbackCollector
import Testing
@testable import HTTPTransport

@Suite(.timeLimit(.minutes(5))) struct CurlTransfersTests {
    @Test func `a waiting request ends at its deadline, or starts when eight others have aged`() async throws {
        let hold = CollectorHold()
        let script = CollectorScript.accept.when({ $0.contains("held") }, .hold(hold, then: .accept))
        let collector = try LoopbackCollector(script: script)
        let (transport, url) = (CurlTransport(), collector.url.url)
        let held = (1...24).map { _ in
            Task { try await transport.send(HTTPRequest(url: url, body: Array("held".utf8)), timeout: .seconds(30)) }
        }
        _ = await collector.requests(count: 1)

        await #expect(throws: TransportError.timedOut) {
            try await transport.send(HTTPRequest(url: url, body: [1]), timeout: .nanoseconds(1))
        }
        let response = try await transport.send(HTTPRequest(url: url, body: [1]), timeout: .seconds(30))
        hold.release()

        #expect(response.status == 200)
        for task in held { #expect(try await task.value.status == 200) }
        #expect(collector.tally.connections <= 25)
    }

    @Test func `a thousand requests, eight at a time, share eight connections`() async throws {
        let collector = try LoopbackCollector()
        let (transport, request) = (CurlTransport(), HTTPRequest(url: collector.url.url, body: [1]))

        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...8 {
                group.addTask {
                    for _ in 1...125 { _ = try await transport.send(request, timeout: .seconds(30)) }
                }
            }
            try await group.waitForAll()
        }

        #expect(collector.tally.connections <= 8)
        #expect(collector.tally.requests == 1_000)
    }
}

@Suite(.timeLimit(.minutes(5))) struct CurlTransferTests {
    @Test func `a request that libcurl rejects fails, and the next one is sent`() async throws {
        let collector = try LoopbackCollector()
        let long = try #require(URL(string: "\(collector.url)/" + String(repeating: "a", count: 9_000_000)))
        let short = collector.url.url
        let transport = CurlTransport()

        await #expect(throws: TransportError.connectionFailed(code: 2)) {
            try await transport.send(HTTPRequest(url: long, body: [1]), timeout: .seconds(30))
        }
        let response = try await transport.send(HTTPRequest(url: short, body: [1]), timeout: .seconds(30))

        #expect(response.status == 200)
        #expect(collector.tally.requests == 1)
    }
}

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

@Suite(.timeLimit(.minutes(5))) struct CurlLibraryTests {
    @Test func `a process exits normally during handshakes and responses`() async throws {
        await #expect(processExitsWith: .exitCode(7)) {
            let handshakes = try LoopbackCollector(script: .accept.opening { .neverRespond })
            let responses = try LoopbackCollector(script: .always(.trickle(CollectorResponse(200), every: .seconds(1))))
            let transport = CurlTransport()
            for url in ["https://127.0.0.1:\(handshakes.port)", "\(responses.url)"] {
                let request = HTTPRequest(url: try #require(URL(string: url)), body: [1])
                for _ in 1...8 { Task { try await transport.send(request, timeout: .seconds(60)) } }
            }
            for collector in [handshakes, responses] { await collector.tally { $0.connections == 8 } }
            exit(7)
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct CurlLoopTests {
    @Test func `a released transport closes its connections`() async throws {
        let collector = try LoopbackCollector()
        let request = HTTPRequest(url: collector.url.url, body: [1])
        for _ in 1...3 {
            let transport = CurlTransport()
            _ = try await transport.send(request, timeout: .seconds(10))
        }

        let tally = await collector.tally { $0.openConnections == 0 }

        #expect(tally.connections == 3)
    }
}
#endif
