import LoopbackCollector
import Testing

@Suite(.timeLimit(.minutes(5))) struct CollectorScriptTests {
    @Test func `after the end of a sequence, the default applies`() async throws {
        let script = CollectorScript.sequence([.status(503), .status(429)], then: .status(204))

        let statuses = try await statuses(of: script, bodies: ["a", "b", "c", "d"])

        #expect(statuses == ["503", "429", "204", "204"])
    }

    @Test func `a predicate on the body takes precedence over the base script`() async throws {
        let script = CollectorScript.accept.when({ $0.contains("poison") }, .status(400))

        let statuses = try await statuses(of: script, bodies: ["fine", "a poison pill", "poi", "pois poison"])

        #expect(statuses == ["200", "400", "200", "400"])
    }

    @Test func `a script can be changed while the collector runs`() async throws {
        let collector = try LoopbackCollector(script: .always(.status(500)))
        let client = try RawClient(collector)

        client.post("/", "x")
        let first = client.read(until: "\r\n\r\n")
        collector.setScript(.accept)
        client.post("/", "x")
        let second = client.read(until: "\r\n\r\n")

        #expect(first?.contains(" 500 ") == true)
        #expect(second?.contains(" 200 ") == true)
    }

    @Test func `a connection can be broken or answered before a request is read from it`() async throws {
        let openings: [(CollectorScript.Opening, String)] = [
            (.close, ""), (.reset, ""), (.bytes(Array("garbage".utf8)), "garbage"), (.neverRespond, ""),
        ]
        for (opening, expected) in openings {
            let collector = try LoopbackCollector(script: .accept.opening { opening })
            let client = try RawClient(collector)

            client.post("/", "hello")
            client.endWriting()

            #expect(client.readToEnd() == expected)
            #expect(collector.tally.requests == 0)
        }
    }

    @Test func `a connection can end before or in the middle of a body, and nothing is recorded`() async throws {
        for reception in [CollectorReception.reset(afterBytes: 0), .close(afterBytes: 3), .reset(afterBytes: 3)] {
            let collector = try LoopbackCollector(script: .accept.receiving { _ in reception })
            let client = try RawClient(collector)

            client.post("/", "hello")

            #expect(client.readToEnd().isEmpty)
            #expect(await collector.tally { $0.openConnections == 0 && $0.startedRequests == 1 }.requests == 0)
        }
    }

    @Test func `a body can be read slowly or held in its middle`() async throws {
        let hold = CollectorHold()
        let script = CollectorScript.accept.receiving { head in
            head.ordinal == 1 ? .slowly(bytes: 2, every: .milliseconds(1)) : .hold(hold, afterBytes: 2)
        }
        let collector = try LoopbackCollector(script: script)
        let client = try RawClient(collector)

        client.post("/", "hello")
        client.post("/", "there")
        await collector.tally { $0.startedRequests == 2 }
        let arrived = collector.tally.requests
        hold.release()

        #expect(arrived == 1)
        #expect(await collector.requests(count: 2).map(\.text) == ["hello", "there"])
    }

    @Test(arguments: ["", "5\r\nhello\r\n", "2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n"])
    func `a connection can end before or in the middle of a chunked body, and nothing is recorded`(
        sent: String
    ) async throws {
        let early: [CollectorReception] = [.reset(afterBytes: 0), .close(afterBytes: 0)]
        let late: [CollectorReception] = [.close(afterBytes: 3), .reset(afterBytes: 3), .close(afterBytes: 5)]
        for reception in sent.isEmpty ? early : early + late {
            let collector = try LoopbackCollector(script: .accept.receiving { _ in reception })
            let client = try RawClient(collector)

            client.send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + sent)

            #expect(await collector.tally { $0.openConnections == 0 && $0.startedRequests == 1 }.requests == 0)
            #expect(client.readToEnd().isEmpty)
        }
    }

    @Test func `a chunked body that is shorter than the fault's position ends the connection`() async throws {
        let collector = try LoopbackCollector(script: .accept.receiving { _ in .close(afterBytes: 9) })
        let client = try RawClient(collector)

        client.send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n0\r\n\r\n")

        #expect(await collector.tally { $0.openConnections == 0 && $0.startedRequests == 1 }.requests == 0)
        #expect(client.readToEnd().isEmpty)
    }

    @Test func `a chunked body can be read slowly or held in its middle`() async throws {
        let hold = CollectorHold()
        let script = CollectorScript.accept.receiving { head in
            head.ordinal == 1 ? .slowly(bytes: 2, every: .milliseconds(1)) : .hold(hold, afterBytes: 3)
        }
        let collector = try LoopbackCollector(script: script)
        let client = try RawClient(collector)

        for chunks in ["5\r\nhello\r\n", "2\r\nth\r\n3\r\nere\r\n"] {
            client.send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)0\r\n\r\n")
        }
        await collector.tally { $0.startedRequests == 2 }
        let arrived = collector.tally.requests
        hold.release()

        #expect(arrived == 1)
        #expect(await collector.requests(count: 2).map(\.text) == ["hello", "there"])
    }

    @Test(arguments: ["GET", "POST"]) func `a request without a body is not affected`(method: String) async throws {
        let collector = try LoopbackCollector(script: .accept.receiving { _ in .close(afterBytes: 0) })
        let client = try RawClient(collector)

        client.send("\(method) / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")

        #expect(client.read(until: "\r\n\r\n")?.contains(" 200 ") == true)
    }

    private func statuses(of script: CollectorScript, bodies: [String]) async throws -> [String] {
        let collector = try LoopbackCollector(script: script)
        let client = try RawClient(collector)
        return bodies.map { body in
            client.post("/", body)
            let response = client.read(until: "\r\n\r\n") ?? ""
            return String(response.dropFirst("HTTP/1.1 ".count).prefix(3))
        }
    }
}
