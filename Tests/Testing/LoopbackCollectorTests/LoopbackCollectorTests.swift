import Foundation
import HTTPTransport
import LoopbackCollector
import Testing

@Suite(.timeLimit(.minutes(5))) struct LoopbackCollectorTests {
    @Test func `a request is recorded as received and accepted`() async throws {
        let collector = try LoopbackCollector()
        let client = try RawClient(collector)

        client.post("/a/b?x=1%20%2B&y=a+b", "hello", headers: "X-Key: v \r\nx-key: w\r\n")
        let response = client.read(until: "\r\n\r\n")

        let request = try #require(await collector.requests(count: 1).first)
        #expect(response == "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        #expect(request.method == "POST")
        #expect(request.path == "/a/b")
        #expect(request.query == ["x": "1 +", "y": "a b"])
        #expect(request.headers["x-key"] == "v, w")
        #expect(request.text == "hello")
        #expect((request.arrival, request.head.connection, request.head.ordinal) == (1, 1, 1))
    }

    @Test func `an address of another machine is rejected`() {
        // 192.0.2.0/24 is reserved for documentation.
        #expect(throws: CollectorError.unknownAddress("192.0.2.1")) {
            try LoopbackCollector(networkAddress: "192.0.2.1")
        }
        #expect(throws: CollectorError.invalidAddress("phone")) { try LoopbackCollector(networkAddress: "phone") }
    }

    @Test func `a port in use is named, with the cure`() throws {
        let collector = try LoopbackCollector()
        let port = try #require(collector.url.url.port.flatMap(UInt16.init(exactly:)))

        #expect(throws: CollectorError.portInUse(port)) { try LoopbackCollector(port: port) }
        #expect("\(CollectorError.portInUse(7))" == "port 7 is in use: choose another one, or 0 for a free one")
        #expect("\(CollectorError.system(call: "bind", code: EACCES))" == "bind failed: Permission denied")
    }

    @Test func `a connection serves many requests, even if they arrive at once`() async throws {
        let collector = try LoopbackCollector()
        let client = try RawClient(collector)

        client.send("POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\n1POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\n2")
        client.post("/", "3")

        let requests = await collector.requests(count: 3)
        #expect(requests.map(\.text) == ["1", "2", "3"])
        #expect(requests.map(\.head.ordinal) == [1, 2, 3])
        #expect(collector.tally.connections == 1)
    }

    @Test func `the chunks of a body are combined`() async throws {
        let collector = try LoopbackCollector()
        let client = try RawClient(collector)

        client.send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n")

        #expect(await collector.requests(count: 1).first?.text == "abcde")
    }

    @Test func `a client that expects it gets an interim response`() async throws {
        let collector = try LoopbackCollector()
        let client = try RawClient(collector)

        client.send("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        let interim = client.read(until: "\r\n\r\n")
        client.send("ok")

        #expect(interim == "HTTP/1.1 100 Interim\r\n\r\n")
        #expect(await collector.requests(count: 1).first?.text == "ok")
    }

    @Test(arguments: [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]])
    func `a request goes to the service that matches it, wherever the catch-all service is listed`(
        order: [Int]
    ) async throws {
        let services: [CollectorService] = [.awesomeTracking, .firebase, .googleAnalytics, .sumo]
        let collector = try LoopbackCollector(services: order.map { services[$0] })
        let client = try RawClient(collector)

        client.post("/?query=INSERT", "{}")
        client.post("/mp/collect?firebase_app_id=1", #"{"events":[]}"#)
        client.post("/mp/collect?measurement_id=G-1", #"{"events":[]}"#)
        client.post("/receiver/v1/http/x", "{}")
        _ = await collector.requests(count: 4)

        #expect(services.map { collector.tally.service($0).requests } == [1, 1, 1, 1])
    }

    @Test(arguments: [(false, "http://127.0.0.1"), (true, "http://[::1]")])
    func `the collector's endpoint names its host and port`(isIPv6: Bool, host: String) throws {
        let collector = try LoopbackCollector(isIPv6: isIPv6)

        #expect("\(collector.url)" == "\(host):\(collector.port)")
        #expect(collector.url.url.absoluteString == "\(host):\(collector.port)")
    }

    @Test func `the events of both services are distinguished and counted once per id`() async throws {
        let collector = try LoopbackCollector()
        let client = try RawClient(collector)
        let firebase = #"{"events":[{"name":"a","params":{"event_id":"e1","v":1.5}},{"name":"b","params":{}}]}"#

        client.post("/mp/collect?firebase_app_id=1", firebase)
        client.post("/?query=INSERT", #"{"event_id":"e1","name":"x"}"# + "\n" + #"{"event_id":"e2","name":"y"}"# + "\n")
        client.post("/?query=INSERT", #"{"event_id":"e2","name":"y"}"#)
        _ = await collector.requests(count: 3)

        let events = collector.events(of: .firebase)
        #expect(events.map(\.name) == ["a", "b"])
        #expect(events.first?.json["params"]?["v"] == 1.5)
        #expect(collector.events(of: .awesomeTracking).map(\.id) == ["e1", "e2"])
        #expect(collector.tally.service(.awesomeTracking).arrivals == 3)
        #expect(collector.tally.service(.awesomeTracking).duplicates == 1)
        #expect(collector.hasStored("e2", of: .awesomeTracking))
    }

    @Test func `refused events count as arrived and are not stored`() async throws {
        let collector = try LoopbackCollector(script: .sequence([.status(503)]))
        let client = try RawClient(collector)
        let row = #"{"event_id":"0198c7e2-5f0a-7c31-9a55-1f2e3d4c5b6a"}"#

        client.post("/", row)
        client.post("/", row)
        let tally = await collector.tally { $0.requests == 2 }.service(.awesomeTracking)

        #expect((tally.arrivals, tally.refused, tally.uniqueEvents, tally.duplicates) == (2, 1, 1, 0))
        #expect(collector.events(of: .awesomeTracking).map(\.arrival) == [2])
    }

    @Test func `a collector of ids keeps no request`() async throws {
        let collector = try LoopbackCollector(retention: .idsOnly)
        let client = try RawClient(collector)

        client.post("/", #"{"event_id":"e1"}"#)
        let tally = await collector.tally { $0.service(.awesomeTracking).uniqueEvents == 1 }

        #expect(collector.requests.isEmpty)
        #expect(tally.bodyBytes == 17)
        #expect(collector.hasStored("e1", of: .awesomeTracking))
    }

    @Test func `if only the latest ids are kept, an event with a discarded id counts as new`() async throws {
        let collector = try LoopbackCollector(retention: .latestIDs(2))
        let client = try RawClient(collector)

        for id in ["e1", "e1", "e2", "e3", "e4", "e5", "e1"] { client.post("/", #"{"event_id":"\#(id)"}"#) }
        let tally = await collector.tally { $0.service(.awesomeTracking).arrivals == 7 }

        #expect(tally.service(.awesomeTracking).uniqueEvents == 6)
        #expect(tally.service(.awesomeTracking).duplicates == 1)
    }

    @Test func `closing frees the port, ends connections and resumes waiting tasks`() async throws {
        let collector = try LoopbackCollector(script: .always(.neverRespond))
        let client = try RawClient(collector)
        client.post("/", "x")
        _ = await collector.requests(count: 1)
        async let waiting = collector.requests(count: 2)

        collector.close()
        let successor = try LoopbackCollector(port: collector.port)

        #expect(client.readToEnd().isEmpty)
        #expect(await waiting.count == 1)
        #expect(successor.port == collector.port)
    }

    @Test func `a cancelled wait returns`() async throws {
        let collector = try LoopbackCollector()
        let waiting = Task { await collector.requests(count: 1).count }

        waiting.cancel()

        #expect(await waiting.value == 0)
    }

    @Test(arguments: [
        ("\r\n\r\n", 400), ("GET /\r\n\r\n", 400), ("GET / HTTP/1.1\r\nno colon\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\n: x\r\n\r\n", 400), ("\u{16}\u{3}\u{1}\u{2}\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nContent-Length: 999999999999\r\n\r\n", 413),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", 400),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\n", 413),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: br\r\n\r\n", 501),
        ("POST / HTTP/1.1\r\nContent-Encoding: br\r\nContent-Length: 1\r\n\r\nx", 415),
        ("POST / HTTP/1.1\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx", 400),
    ]) func `an invalid request is rejected and counted`(request: String, status: Int) async throws {
        let collector = try LoopbackCollector()
        let client = try RawClient(collector)

        client.send(request)
        let response = client.readToEnd()

        #expect(response.hasPrefix("HTTP/1.1 \(status) "))
        #expect(await collector.tally { $0.malformedRequests == 1 }.requests == 0)
    }

    @Test func `a head that is too large is rejected`() async throws {
        let collector = try LoopbackCollector()
        let client = try RawClient(collector)

        client.send("GET / HTTP/1.1\r\nX: \(String(repeating: "x", count: 70_000))\r\n\r\n")

        #expect(client.readToEnd().hasPrefix("HTTP/1.1 431 "))
    }

    @Test func `a gzip body is decompressed`() async throws {
        let collector = try LoopbackCollector()
        let client = try RawClient(collector)
        let zeros = CollectorResponse.gzipBomb(unpackedBytes: 100_000).body

        client.post("/", bytes: zeros, headers: "Content-Encoding: gzip\r\n")

        let request = try #require(await collector.requests(count: 1).first)
        #expect(request.rawBody == zeros)
        #expect(request.body == [UInt8](repeating: 0, count: 100_000))
    }

    @Test func `a gzip bomb is not decompressed beyond the limit`() async throws {
        let collector = try LoopbackCollector()
        let client = try RawClient(collector)
        let bomb = CollectorResponse.gzipBomb(unpackedBytes: LoopbackCollector.maximumBodyBytes + 1).body

        client.post("/", bytes: bomb, headers: "Content-Encoding: gzip\r\n")

        #expect(client.readToEnd().hasPrefix("HTTP/1.1 400 "))
    }
}
