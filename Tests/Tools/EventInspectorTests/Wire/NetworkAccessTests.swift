#if os(Linux)  // There, all of 127.0.0.0/8 is local, so 127.0.0.2 can represent a network address.
import LoopbackCollector
import Testing

@testable import EventInspector

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
        body: String = ""
    ) throws -> Int {
        var fields = ["Host": "\(host):\(collector.port)", "Origin": "\(collector.url)"]
        if token { fields["Authorization"] = "Bearer \(Inspected.token)" }
        return try PlainClient(port: collector.port, address: 0x7F00_0002).exchange(method, path, fields, body).status
    }

    @Test func `the link contains the network address, and the loopback address stays free`() {
        #expect(inspector.link == "http://127.0.0.2:\(collector.port)/?token=\(Inspected.token)")
        #expect(throws: Never.self) { try LoopbackCollector(port: collector.port) }
    }

    @Test(arguments: ["/", "/plan", "/inspector/events", "/mp/collect"])
    func `nothing is shown without the token`(path: String) throws {
        #expect(try [403, 404].contains(status("GET", path, token: false)))
    }

    @Test(arguments: ["/", "/mp/collect", "/inspector/state", "/inspector/clear"])
    func `a body without the token is not read`(path: String) throws {
        #expect(try status("POST", path, token: false, body: "{}") == 0)
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
