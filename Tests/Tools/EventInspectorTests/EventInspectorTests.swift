import LoopbackCollector
import Testing

@testable import EventInspector

@Suite(.timeLimit(.minutes(5))) struct EventInspectorTests {
    @Test func `deliveries of one call share a row, with the plan's name`() throws {
        let inspected = try Inspected()

        try inspected.post("/mp/collect", Inspected.firebase("bought", id: Inspected.id(1_000)))
        try inspected.post("/", Inspected.row("order", id: Inspected.id(1_001), props: #"{"id":"7"}"#))
        // Firebase's request contains no product, but only one product plans an event of this name.
        let rows = try inspected.rows()

        #expect(rows.count == 1)
        #expect(rows.first?["e"] == "Bought")
        #expect(rows.first?["s"]?.elements.map { $0[0] ?? .null } == ["firebase", "awesomeTracking"])
    }

    @Test func `without a plan, deliveries of one call share a row that is marked as grouped by time`() throws {
        let inspected = try Inspected(plan: InspectorPlan())

        for milliseconds in [1_000, 2_000] {
            try inspected.post("/mp/collect", Inspected.firebase("bought", id: Inspected.id(milliseconds)))
            try inspected.post("/", Inspected.row("order", id: Inspected.id(milliseconds, 1)))
        }
        let rows = try inspected.rows()
        let detail = try inspected.detail(1)

        #expect(rows.map { $0["w"] } == [.array(["bought", "order"]), .array(["bought", "order"])])
        #expect(rows.map { $0["g"] } == [1, 1] && rows.allSatisfy { $0["u"] == nil })
        #expect(detail?["isGroupedByTime"] == 1 && detail?["isUnplanned"] == 0)
    }

    @Test func `ambiguous deliveries stay separate`() throws {
        let inspected = try Inspected()

        for milliseconds in [1_000, 1_001] {
            try inspected.post("/mp/collect", Inspected.firebase("bought", id: Inspected.id(milliseconds)))
        }
        for milliseconds in [1_002, 1_003] {
            try inspected.post("/", Inspected.row("order", id: Inspected.id(milliseconds), props: #"{"id":"7"}"#))
        }

        #expect(try inspected.rows().count == 4)
    }

    @Test func `an event keeps its original bytes and counts its attempts`() throws {
        let inspected = try Inspected()
        let row = #"{ "event_id":"e1" , "name" : "x","z":1.0e2, "ü":[ ]}"#

        for _ in 0..<3 { try inspected.post("/", "\n\(row)\n") }
        let detail = try inspected.detail(1)

        let service = detail?["services"]?[0]
        #expect(service?["body"]?.string == row)
        #expect(service?["arrivals"] == 3)
        #expect(service?["attempts"]?.elements.count == 3)
        #expect(try inspected.rows().count == 1)
    }

    @Test func `findings contain their rule, source and path`() throws {
        let inspected = try Inspected()

        try inspected.post("/mp/collect", Inspected.firebase("bought", id: "e1", value: "\"much\""))
        try inspected.post("/", Inspected.row("order", id: "e2"))
        try inspected.post("/", Inspected.row("nothing", id: "e3"))
        let found = try (1...3).flatMap { row in
            try inspected.detail(row)?["services"]?[0]?["findings"]?.elements.map { finding in
                [finding["severity"], finding["source"], finding["code"], finding["path"]].map { $0?.string ?? "" }
            } ?? []
        }

        #expect(found.contains(["error", "plan", "type", "value"]))
        #expect(found.contains(["error", "plan", "missing", "id"]))
        #expect(found.contains(["warning", "plan", "not_in_plan", "nothing"]))
    }

    @Test func `a profile update is not missing in the plan`() throws {
        let inspected = try Inspected()

        for (index, name) in ["$identify", "$group", "$alias"].enumerated() {
            try inspected.post("/", Inspected.row(name, id: "e\(index)"))
        }
        try inspected.post("/mp/collect", Inspected.firebase("traits_updated", id: "e3"))
        let rows = try (1...4).map { try inspected.detail($0) }

        #expect(rows.count { $0?["isUnplanned"] == 0 } == 4)
    }

    @Test func `an event that is reported before its arrival is validated with Google's rules`() throws {
        let inspected = try Inspected()
        let report = #"{"kind":"event","lane":"XY/firebase","id":"e1","name":"bought","own":"{}","body":"{}"}"#

        try inspected.post("/inspector/state", report, token: true)
        try inspected.post("/mp/collect", Inspected.firebase("bought", id: "e1"))

        let findings = try inspected.detail(1)?["services"]?[0]?["findings"]?.elements ?? []
        #expect(findings.contains { $0["source"] == "GA4" && $0["path"] == "app_instance_id" })
    }

    @Test func `a body that cannot be decoded has a row, too`() throws {
        let inspected = try Inspected()

        try inspected.post("/mp/collect", "{")

        #expect(try inspected.detail(1)?["services"]?[0]?["findings"]?[0]?["code"] == "unreadable_body")
    }

    @Test func `an event without an id is identified by its bytes, if its sender reports them`() throws {
        let inspected = try Inspected()
        let row = #"{"name":"a","product":"XY"}"#
        let reports = ["e1", "e2"].map { id in
            let body = row.replacing("\"", with: "\\\"")
            let lane = #""kind":"event","lane":"XY/awesomeTracking""#
            return #"{\#(lane),"id":"\#(id)","name":"a","own":"{}","body":"\#(body)"}"#
        }

        try inspected.post("/", row)
        try inspected.post("/inspector/state", reports.joined(separator: "\n"), token: true)
        for _ in 0..<3 { try inspected.post("/", row) }
        let rows = try inspected.rows()

        #expect(rows.count == 2)
        #expect(rows.map { $0["s"]?[0]?[3] } == [2, 2])
        #expect(rows.map { $0["x"]?.string?.prefix(5) } == ["id:e1", "id:e2"])
    }

    @Test func `without a report, equal bytes without an id stay separate`() throws {
        let inspected = try Inspected()

        for _ in 0..<2 { try inspected.post("/", #"{"name":"a"}"#) }

        #expect(try inspected.rows().count == 2)
    }

    @Test func `a fault applies to its number of requests and to its event only`() throws {
        let inspected = try Inspected()
        let fault = #"{"service":"awesomeTracking","status":503,"count":2,"event":"b"}"#

        #expect(try inspected.post("/inspector/fault", fault, token: true) == 204)
        let statuses = try ["a", "b", "b", "b"].map { try inspected.post("/", Inspected.row($0, id: "e-" + $0)) }

        #expect(statuses == [200, 503, 503, 200])
        #expect(
            try inspected.detail(2)?["services"]?[0]?["attempts"]?.elements.map { $0["status"] } == [503, 503, 200]
        )
        #expect(inspected.collector.tally.service(.awesomeTracking).refused == 2)
    }

    @Test func `clearing removes rows, and row numbers continue`() throws {
        let inspected = try Inspected()
        try inspected.post("/", Inspected.row("a", id: "e1"))

        inspected.inspector.clear()
        try inspected.post("/", Inspected.row("a", id: "e1"))

        #expect(try inspected.rows().map { $0["n"] } == [2])
    }

    @Test func `the plan's page contains the counts of events`() throws {
        let inspected = try Inspected()

        let before = try inspected.get("/plan").body
        try inspected.post("/mp/collect", Inspected.firebase("bought", id: Inspected.id(1_000)))

        #expect(before.contains("never seen"))
        #expect(try inspected.get("/plan").body.contains("seen once"))
    }

    @Test func `requests for pages do not count as received events`() throws {
        let inspected = try Inspected()

        _ = try inspected.get("/inspector/events")
        _ = try inspected.get("/favicon.ico")

        #expect(inspected.collector.tally.requests == 0)
    }
}
