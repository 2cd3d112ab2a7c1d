import LoopbackCollector
import Testing

@testable import EventInspector

@Suite(.timeLimit(.minutes(5))) struct InspectorRoutesTests {
    @Test func `the page contains the receiver's address and loads nothing from other hosts`() throws {
        let inspected = try Inspected()

        let page = try inspected.get("/")

        #expect(page.text.contains("Content-Security-Policy: default-src 'none'"))
        #expect(page.body.contains("<code id=\"receiver\">\(inspected.collector.url)</code>"))
        for word in ["src=", "@import", "url(", "https://", "//cdn"] { #expect(!page.body.contains(word), "\(word)") }
    }

    @Test(arguments: ["/inspector/else", "/inspector/event/x", "/inspector/event/7", "/inspector/event/-1"])
    func `an unknown path is not found`(path: String) throws {
        #expect(try Inspected().get(path).status == 404)
    }

    @Test func `without a plan, its page does not exist`() throws {
        #expect(try Inspected(plan: InspectorPlan()).get("/plan").status == 404)
    }

    @Test(arguments: ["", "7", "{}", "[", #"{"service":"firebase","status":200}"#])
    func `an invalid fault is rejected`(body: String) throws {
        #expect(try Inspected().post("/inspector/fault", body, token: true) == 400)
    }

    @Test func `invalid reports change nothing`() throws {
        let inspected = try Inspected()

        let status = try inspected.post("/inspector/state", "\n{\n7\n{}\n\u{0}", token: true)

        #expect(status == 204)
        #expect(try inspected.rows().isEmpty)
    }

    @Test func `a GET request for an unknown path records no events`() throws {
        let inspected = try Inspected()

        #expect(try inspected.get("/else").status == 404)
        #expect(inspected.collector.tally.requests == 0)
    }
}

@Suite(.timeLimit(.minutes(5))) struct RowFeedTests {
    private func stream(
        _ inspected: Inspected,
        from path: String,
        last: String? = nil,
        until ending: String
    ) throws -> String {
        let headers = last.map { ["Last-Event-ID": $0] } ?? [:]
        return try inspected.response("GET", path, "", headers: headers, token: true, until: ending).body
    }

    @Test func `a stream continues after its position, and the browser's position takes precedence`() throws {
        let inspected = try Inspected()
        for name in ["a", "b", "c"] { try inspected.post("/", Inspected.row(name, id: name)) }

        let all = try stream(inspected, from: "/inspector/stream?after=0", until: "\"c\"")
        let rest = try stream(inspected, from: "/inspector/stream?after=0", last: "2", until: "\"c\"")

        #expect(all.contains("retry: 500\n\n") && all.contains("\"a\"") && all.contains("id: 3\ndata: "))
        #expect(rest.contains("\"c\"") && !rest.contains("\"b\""))
    }

    @Test func `closing the streams ends all open ones`() throws {
        let store = InspectorStore(plan: InspectorPlan())
        let feed = RowFeed(store, after: 0)

        let before = feed.next()
        store.cutStreams()

        #expect(before != nil)
        #expect(feed.next() == nil)
        #expect(RowFeed(store, after: 0).next() != nil)
    }

    @Test func `a stream without changes sends a comment from time to time`() {
        let feed = RowFeed(InspectorStore(plan: InspectorPlan()), after: 0)

        let parts = (0..<100).compactMap { _ in feed.next() }.map { String(decoding: $0, as: UTF8.self) }

        #expect(parts.filter { $0.hasPrefix(":") }.count == 2)
    }
}

@Suite(.timeLimit(.minutes(5))) struct EventReceptionTests {
    @Test func `if a receiver closes the connection, the row shows the received event`() throws {
        let inspected = try Inspected()
        try inspected.post("/inspector/fault", #"{"service":"awesomeTracking","status":0,"count":1}"#, token: true)

        let status = try inspected.post("/", Inspected.row("a", id: "e1"))
        let first = try inspected.detail(1)?["services"]?[0]
        try inspected.post("/", Inspected.row("a", id: "e1"))

        #expect(status == 0)
        #expect(first?["state"] == "unanswered")
        #expect(try inspected.detail(1)?["services"]?[0]?["state"] == "delivered")
    }

    @Test func `a fault's response has its body and its wait`() throws {
        let inspected = try Inspected()
        let fault = #"{"service":"firebase","status":429,"retryAfter":5,"answer":"slow down"}"#
        try inspected.post("/inspector/fault", fault, token: true)

        let response = try inspected.response("POST", "/mp/collect", Inspected.firebase("a", id: "e1"), token: false)

        #expect(response.status == 429)
        #expect(response.text.contains("Retry-After: 5\r\n"))
        #expect(response.body == "slow down")
    }
}

@Suite struct JSONBuilderTests {
    @Test(arguments: ["", "plain", "a\"b\\c", "line\nend\r\t\u{0}\u{1F}", "</script><!--", "ü 𝄞 \u{2028}", "\u{7F}"])
    func `any text is preserved, on one line and without the start of a tag`(text: String) {
        let quoted = JSONBuilder.quoted(text)

        #expect(CollectedValue(Array(quoted.utf8)) == .string(text))
        #expect(!quoted.contains("<") && !quoted.utf8.contains(0x0A) && !quoted.utf8.contains(0x0D))
    }

    @Test func `parts are separated correctly`() {
        var json = JSONBuilder()
        json.object { json in
            json.key("a")
            json.array { json in
                json.raw("1")
                json.object { _ in }
                json.string("x")
            }
            json.member("b", 2)
        }

        #expect(json.text == #"{"a":[1,{},"x"],"b":2}"#)
    }

    @Test func `a value is written as it was read, with its members ordered by name`() {
        let text = #"{"b":[1,2.5,null,true],"a":"ü"}"#

        #expect(CollectedValue(Array(text.utf8))?.json == #"{"a":"ü","b":[1,2.5,null,true]}"#)
    }
}
