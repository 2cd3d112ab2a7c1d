import Locks
import LoopbackCollector
import Testing

@Suite(.timeLimit(.minutes(5))) struct CollectorActionTests {
    private let page = CollectorResponse(200, headers: [.init("X-A", "b")], text: "hello")
    private let head = "HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Length: 5\r\n\r\n"

    @Test func `a response can be dropped after the request is recorded`() async throws {
        for action in [CollectorAction.close, .reset] {
            let collector = try LoopbackCollector(script: .always(action))
            let client = try RawClient(collector)

            client.post("/", #"{"event_id":"e1"}"#)

            #expect(client.readToEnd().isEmpty)
            #expect(collector.tally.service(.awesomeTracking).uniqueEvents == 1)
        }
    }

    @Test func `a connection without a response stays open until the client ends it`() async throws {
        let collector = try LoopbackCollector(script: .always(.neverRespond))
        let client = try RawClient(collector)

        client.post("/", "x")
        let before = await collector.tally { $0.requests == 1 }.openConnections
        client.endWriting()

        #expect(before == 1)
        #expect(client.readToEnd().isEmpty)
        #expect(await collector.tally { $0.openConnections == 0 }.connections == 1)
    }

    @Test func `a connection can end after a response without an announcement`() async throws {
        let collector = try LoopbackCollector(script: .always(.respondAndClose(page)))
        let client = try RawClient(collector)

        client.post("/", "x")

        #expect(client.readToEnd() == head + "hello")
    }

    @Test func `a response can end, be truncated or be garbage at any point`() async throws {
        let cases: [(CollectorAction, String)] = [
            (.resetAfterHead(page), head),
            (.truncate(page, bodyBytes: 2), head + "he"),
            (.bytes(Array("\u{1}\u{2}garbage".utf8)), "\u{1}\u{2}garbage"),
            (.interim(status: 103, count: 2, then: .bytes([])), "HTTP/1.1 103 Interim\r\n\r\n" * 2),
        ]
        for (action, expected) in cases {
            let collector = try LoopbackCollector(script: .always(action))
            let client = try RawClient(collector)

            client.post("/", "x")

            #expect(client.readToEnd() == expected)
        }
    }

    @Test func `bytes can be sent before a response, or alone on a kept connection`() async throws {
        let cases: [(CollectorAction, String)] = [
            (.raw(Array("raw".utf8), then: nil), "rawraw"), (.raw(Array("raw".utf8), then: .close), "raw"),
            (.raw(Array("raw".utf8), then: .respondAndClose(page)), "raw" + head + "hello"),
        ]
        for (action, expected) in cases {
            let collector = try LoopbackCollector(script: .always(action))
            let client = try RawClient(collector)

            client.post("/", "x")
            client.post("/", "x")
            client.endWriting()

            #expect(client.readToEnd() == expected)
        }
    }

    @Test func `responses can be endless`() async throws {
        let actions: [CollectorAction] = [
            .endlessBody(page), .endlessHead(status: 200), .interim(status: 100, count: 0, then: nil),
        ]
        for action in actions {
            let collector = try LoopbackCollector(script: .always(action))
            let client = try RawClient(collector)

            client.post("/", "x")

            #expect(client.read(atLeast: 1_000_000) >= 1_000_000)
        }
    }

    @Test func `a response can stream the results of a closure until it returns nil`() async throws {
        let parts = Mutex(["one ", "", "two"])
        let stream = CollectorAction.stream(page, every: .zero) {
            parts.withLock { $0.isEmpty ? nil : Array($0.removeFirst().utf8) }
        }
        let collector = try LoopbackCollector(script: .always(stream))
        let client = try RawClient(collector)

        client.post("/", #"{"event_id":"e1"}"#)

        #expect(client.readToEnd() == "HTTP/1.1 200 OK\r\nX-A: b\r\n\r\nhelloone two")
        #expect(collector.hasStored("e1", of: .awesomeTracking))
    }

    @Test func `a stream ends when the collector is closed`() async throws {
        let collector = try LoopbackCollector(script: .always(.stream(page, every: .seconds(3_600)) { [] }))
        let client = try RawClient(collector)

        client.post("/", "x")
        _ = await collector.tally { $0.requests == 1 }
        collector.close()

        #expect(client.readToEnd().isEmpty || client.readToEnd().hasSuffix("hello"))
    }

    @Test func `an unrecorded response leaves no trace of its request`() async throws {
        let collector = try LoopbackCollector(script: .always(.unrecorded(.respondAndClose(page))))
        let client = try RawClient(collector)

        client.post("/", #"{"event_id":"e1"}"#)

        #expect(client.readToEnd() == head + "hello")
        #expect(collector.tally.requests == 0)
        #expect(!collector.hasStored("e1", of: .awesomeTracking))
    }

    @Test func `a response can trickle`() async throws {
        let collector = try LoopbackCollector(script: .always(.trickle(page, every: .milliseconds(1))))
        let client = try RawClient(collector)

        client.post("/", "x")

        #expect(client.read(until: "hello") == head + "hello")
    }

    @Test func `a gzip bomb and a huge header have the given sizes`() {
        let bomb = CollectorResponse.gzipBomb(unpackedBytes: 10_000_000)

        #expect(bomb.body.count < 20_000)
        #expect(CollectorResponse.hugeHeader(bytes: 10_000_000).headers.first?.value.utf8.count == 10_000_000)
    }

    @Test func `a held response comes when the gate opens`() async throws {
        let hold = CollectorHold()
        let collector = try LoopbackCollector(script: .always(.hold(hold, then: .respond(page))))
        let client = try RawClient(collector)

        client.post("/", "x")
        _ = await collector.requests(count: 1)
        hold.release()

        #expect(client.read(until: "hello") == head + "hello")
    }

    @Test func `a held connection ends when its client disconnects`() async throws {
        let collector = try LoopbackCollector(script: .always(.hold(CollectorHold(), then: .accept)))
        do {
            let client = try RawClient(collector)
            client.post("/", "x")
            _ = await collector.requests(count: 1)
        }

        let tally = await collector.tally { $0.openConnections == 0 }

        #expect(tally.connections == 1)
    }

    @Test func `closing the collector ends held, delayed and endless responses`() async throws {
        let actions: [CollectorAction] = [
            .hold(CollectorHold(), then: .accept), .delay(.seconds(1000), then: .accept), .endlessBody(page),
            .trickle(page, every: .seconds(1000)), .neverRespond,
        ]
        for action in actions {
            let collector = try LoopbackCollector(script: .always(action))
            let client = try RawClient(collector)
            client.post("/", "x")
            _ = await collector.requests(count: 1)

            collector.close()
            _ = client.readToEnd()

            #expect(await collector.tally { $0.openConnections == 0 }.requests == 1)
        }
    }

}

private func * (text: String, count: Int) -> String {
    String(repeating: text, count: count)
}
