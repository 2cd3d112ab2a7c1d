import LoopbackCollector
import Testing

@testable import EventInspector

@Suite struct RowSummaryTests {
    @Test func `a row has the names and the state of each delivery, and the text that the filter searches`() throws {
        var first = Sighting(service: "firebase", id: Inspected.id(1_000), name: "a", time: 9_000_000)
        first.product = "XY"
        first.reportedStatus = SenderReport.Status(state: "awaiting consent", reason: "")
        let second = Sighting(service: "awesomeTracking", id: "e2", name: "a", time: 9_000_000)

        let row = CollectedValue(Array(RowSummary.json(7, [first, second]).utf8))

        #expect((row?["n"], row?["t"], row?["c"], row?["r"], row?["p"]) == (7, 1_000, 0, 9_000, "XY"))
        #expect(row?["w"] == .array(["a"]))
        #expect(row?["x"]?.string == "id:\(Inspected.id(1_000))\nid:e2")
        #expect(row?["s"]?[0] == .array(["firebase", "awaiting consent", "", 0]))
        #expect(row?["s"]?[1] == .array(["awesomeTracking", "queued", "", 0]))
    }

    @Test func `a row counts its findings, and the errors among them`() {
        var sighting = Sighting(service: "firebase", id: "e1", name: "a", time: 0)
        sighting.planFindings = [PlanFindings.unknown("a")]
        sighting.wireFindings = [Finding(severity: .error, source: .vendor("GA4"), code: "c", path: "", text: "")]

        let row = CollectedValue(Array(RowSummary.json(1, [sighting]).utf8))

        #expect((row?["f"], row?["h"], row?["u"]) == (2, 1, 1))
    }

    @Test func `a row has the time of tracking as its sender reports it, if the id has none`() throws {
        var sighting = Sighting(service: "firebase", id: "e1", name: "a", time: 9_000_000)
        let arrived = CollectedValue(Array(RowSummary.json(1, [sighting]).utf8))
        let line = #"{"kind":"event","lane":"XY/firebase","id":"e1","name":"a","time":5000000}"#
        let value = try #require(CollectedValue(Array(line.utf8)))
        guard case .event(_, let event)? = SenderReport(value) else { return #expect(Bool(false)) }

        sighting.report = event
        let reported = CollectedValue(Array(RowSummary.json(1, [sighting]).utf8))

        #expect((arrived?["t"], reported?["t"], reported?["r"]) == (9_000, 5_000, 9_000))
    }

    @Test func `a row without deliveries contains only its number`() {
        #expect(RowSummary.json(7, []) == #"{"n":7}"#)
    }
}

@Suite struct SearchTextTests {
    private static func sighting(_ service: String, id: String, _ parameters: String) -> Sighting {
        var sighting = Sighting(service: service, id: id, name: "a", time: 0)
        let row = "{\"event_id\":\"\(id)\",\"user_id\":\"u-1\",\"props\":\(JSONBuilder.quoted(parameters))}"
        sighting.facts = WireFacts(CollectedValue(Array(row.utf8)) ?? .null, in: nil, of: "awesomeTracking")
        return sighting
    }

    @Test func `each value has its key, even in lists and objects`() {
        let parameters =
            #"{"order_id":"DL-2041","paid":true,"items":[{"price":180.0},{"price":9.5}],"tags":["a","b"],"x":null}"#

        let lines = SearchText([Self.sighting("awesomeTracking", id: "e1", parameters)]).lines

        let expected = [
            "id:e1", "user:u-1", "order_id:DL-2041", "paid:true", "price:180", "price:9.5", "tags:a", "tags:b",
            "x:null",
            "event_id:e1", "user_id:u-1",
        ]
        #expect(Set(lines) == Set(expected) && lines.count == expected.count)
    }

    @Test func `a line appears once, and a line break in a value does not end it`() {
        let twice = ["e1", "e2"].map { Self.sighting("awesomeTracking", id: $0, #"{"note":"one\nname:two"}"#) }

        let lines = SearchText(twice).lines

        #expect(lines.filter { $0.hasPrefix("note") } == ["note:one name:two"])
    }

    @Test func `findings are searched by severity, code, path and text`() {
        var sighting = Sighting(service: "firebase", id: "", name: "a", time: 0)
        sighting.wireFindings = [
            Finding(
                severity: .error,
                source: .vendor("GA4"),
                code: "VALUE_REQUIRED",
                path: "params.items",
                text: "No items."
            )
        ]

        #expect(SearchText([sighting]).lines == ["finding:error VALUE_REQUIRED params.items No items."])
    }

    @Test func `own parameters and defaults are searched before anything arrives`() throws {
        var sighting = Sighting(service: "firebase", id: "e1", name: "a", time: 0)
        let line =
            #"{"kind":"event","lane":"XY/firebase","id":"e1","own":"{\"a\":1}","defaults":"{\"b\":2}","session":"s-1"}"#
        let value = try #require(CollectedValue(Array(line.utf8)))
        guard case .event(_, let event)? = SenderReport(value) else { return #expect(Bool(false)) }
        sighting.report = event

        #expect(SearchText([sighting]).lines == ["id:e1", "session:s-1", "a:1", "b:2"])
    }
}
