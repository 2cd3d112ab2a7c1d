import LoopbackCollector
import Testing

@testable import EventInspector

@Suite struct RowSummaryTests {
    @Test func `a row has the names and the state of each delivery, and the text that the filter searches`() throws {
        var first = Sighting(service: "firebase", id: Inspected.id(1_000), name: "a", time: 9_000_000)
        first.product = "XY"
        first.reportedStatus = SenderReport.Status(state: "held", reason: "")
        let second = Sighting(service: "awesomeTracking", id: "e2", name: "a", time: 9_000_000)

        let row = CollectedValue(Array(RowSummary.json(7, [first, second]).utf8))

        #expect((row?["n"], row?["t"], row?["c"], row?["r"], row?["p"]) == (7, 1_000, 0, 9_000, "XY"))
        #expect(row?["w"] == .array(["a"]))
        #expect(row?["x"]?.string == "id:\(Inspected.id(1_000))\nid:e2")
        #expect(row?["s"]?[0] == .array(["firebase", "held", "", 0]))
        #expect(row?["s"]?[1] == .array(["awesomeTracking", "queued", "", 0]))
    }

    @Test func `a row counts its findings, and the errors among them`() {
        var sighting = Sighting(service: "firebase", id: "e1", name: "a", time: 0)
        sighting.planFindings = [PlanFindings.unknown("a")]
        sighting.wireFindings = [Finding(severity: .error, source: .ga4, code: "c", path: "", text: "")]

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
