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
