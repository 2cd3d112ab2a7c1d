import Testing

@testable import EventInspector
@testable import LoopbackCollector

@Suite(.timeLimit(.minutes(5))) struct AccessTests {
    private static let paths = ["/", "/plan", "/inspector/events", "/inspector/event/1", "/inspector/export.har"]

    @Test(arguments: paths) func `a page without the token is refused`(path: String) throws {
        #expect(try Inspected().get(path, token: false).status == 403)
    }

    @Test(arguments: ["/inspector/clear", "/inspector/fault", "/inspector/state"])
    func `a command without the token, or with another, is refused`(path: String) throws {
        let inspected = try Inspected()

        #expect(try inspected.post(path, "") == 403)
        #expect(try inspected.post(path, "", headers: ["Authorization": "Bearer \(Inspected.token)a"]) == 403)
        #expect(try inspected.post(path, "", headers: ["Cookie": "inspector-1=\(Inspected.token)"]) == 403)
    }

    @Test(arguments: ["HEAD", "GET", "PUT", "DELETE", "OPTIONS", "post"])
    func `a command by another method than POST is refused`(method: String) throws {
        let inspected = try Inspected()
        try inspected.post("/", Inspected.row("a", id: "e1"))
        let headers = ["Cookie": inspected.cookie, "Origin": "\(inspected.collector.url)"]

        let response = try inspected.response(method, "/inspector/clear", "", headers: headers, token: false)

        #expect(response.status == (method == "GET" ? 404 : 405))
        #expect(try inspected.rows().count == 1)
    }

    @Test func `a command with the page's cookie but without an origin is rejected`() throws {
        let inspected = try Inspected()
        try inspected.post("/", Inspected.row("a", id: "e1"))

        #expect(try inspected.post("/inspector/clear", "", headers: ["Cookie": inspected.cookie]) == 403)
        #expect(try inspected.rows().count == 1)
        let headers = ["Cookie": inspected.cookie, "Origin": "\(inspected.collector.url)"]
        #expect(try inspected.post("/inspector/clear", "", headers: headers) == 204)
        #expect(try inspected.rows().isEmpty)
    }

    @Test func `the link's token is exchanged for a cookie, which is sufficient`() throws {
        let inspected = try Inspected()

        let welcome = try inspected.get("/?token=\(Inspected.token)", token: false)

        #expect(welcome.status == 303)
        #expect(welcome.text.contains("HttpOnly; SameSite=Strict"))
        #expect(
            try inspected.response("GET", "/", "", headers: ["Cookie": inspected.cookie], token: false).status == 200
        )
        #expect(try inspected.get("/?token=wrong", token: false).status == 403)
    }

    @Test(arguments: ["evil.test", "127.0.0.1", "evil.test:80", "127.0.0.1.evil.test:80", ""])
    func `a request that names another host is refused, for pages and for events`(host: String) throws {
        let inspected = try Inspected()

        #expect(try inspected.post("/", "{}", headers: ["Host": host]) == 421)
        #expect(try inspected.post("/inspector/clear", "", headers: ["Host": host], token: true) == 421)
        #expect(try inspected.rows().isEmpty)
    }

    @Test(arguments: ["http://evil.test", "null", "https://127.0.0.1:1", "http://127.0.0.1"])
    func `a page of another origin is refused, for pages and for events`(origin: String) throws {
        let inspected = try Inspected()

        #expect(try inspected.post("/", "{}", headers: ["Origin": origin]) == 403)
        #expect(try inspected.post("/inspector/clear", "", headers: ["Origin": origin], token: true) == 403)
        #expect(try inspected.rows().isEmpty)
    }

    @Test func `no page contains the token, and its policy allows only necessary resources`() throws {
        let inspected = try Inspected()

        for path in Self.paths {
            let response = try inspected.get(path)
            #expect(!response.text.contains(Inspected.token))
            #expect(response.text.contains("default-src 'none'") || response.status == 404)
        }
    }
}

@Suite struct HostTests {
    @Test(arguments: [("fd00::5", "[fd00::5]:8123"), ("FD00::5", "[fd00::5]:8123"), ("192.0.2.1", "192.0.2.1:8123")])
    func `a request names the host of the link`(address: String, host: String) throws {
        let access = Access(port: 8_123, networkAddress: address, token: Inspected.token)
        let head = "GET / HTTP/1.1\r\nHost: \(host)\r\nOrigin: http://\(host)"

        #expect(access.rejection(of: try #require(CollectedHead(head.utf8, connection: 1, ordinal: 1))) == nil)
    }
}

#if os(Linux)  // There, all of 127.0.0.0/8 is local, so 127.0.0.2 can represent a network address.
@Suite(.timeLimit(.minutes(5))) struct NetworkAccessTests {
    private let collector: LoopbackCollector
    private let inspector: EventInspector

    init() throws {
        collector = try LoopbackCollector(networkAddress: "127.0.0.2", services: .all)
        inspector = EventInspector(on: collector, services: .all, plan: InspectorPlan(), token: Inspected.token)
    }

    private func status(
        _ method: String,
        _ path: String,
        token: Bool,
        host: String = "127.0.0.2",
        body: String = "",
        isChunked: Bool = false
    ) throws -> Int {
        var fields = ["Host": "\(host):\(collector.port)", "Origin": "\(collector.url)"]
        if token { fields["Authorization"] = "Bearer \(Inspected.token)" }
        if isChunked { fields["Transfer-Encoding"] = "chunked" }
        return try PlainClient(port: collector.port, address: 0x7F00_0002).exchange(method, path, fields, body).status
    }

    @Test func `the link contains the network address, and the loopback address stays free`() throws {
        #expect(inspector.link == "http://127.0.0.2:\(collector.port)/?token=\(Inspected.token)")
        // The collector of another test can have the same port of the loopback address.
        let isFree = try (0..<5).contains { _ in
            let other = try LoopbackCollector(networkAddress: "127.0.0.2", services: .all)
            return (try? LoopbackCollector(port: other.port)) != nil
        }
        #expect(isFree)
    }

    @Test(arguments: ["/", "/plan", "/inspector/events", "/mp/collect"])
    func `nothing is shown without the token`(path: String) throws {
        #expect(try [403, 404].contains(status("GET", path, token: false)))
    }

    @Test(arguments: ["/", "/mp/collect", "/inspector/state", "/inspector/clear"])
    func `a body without the token is not read`(path: String) throws {
        for method in ["POST", "GET", "PUT"] {
            #expect(try status(method, path, token: false, body: "{}") == 0)
            #expect(try status(method, path, token: false, body: "2\r\n{}\r\n0\r\n\r\n", isChunked: true) == 0)
        }
    }

    @Test(arguments: ["/", "/mp/collect"]) func `events can be reported but not received`(path: String) throws {
        let event = #"{"kind":"event","lane":"XY/firebase","id":"e1","name":"a","own":"{}"}"#

        #expect(try status("POST", path, token: true, body: "{}") == 403)
        #expect(try status("POST", "/inspector/state", token: true, body: event) == 204)
        #expect(collector.tally.requests == 0)
    }

    @Test func `a request that names another host is refused`() throws {
        #expect(try status("GET", "/inspector/events", token: true, host: "127.0.0.1") == 421)
        #expect(try status("GET", "/inspector/events", token: true) == 200)
    }
}
#endif
