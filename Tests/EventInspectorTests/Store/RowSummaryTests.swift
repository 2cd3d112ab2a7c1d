import LoopbackCollector
import Testing

@testable import EventInspector

@Suite struct RowSummaryTests {
    @Test func `a row has the names and the state of each delivery, and what the filter looks for`() throws {
        var first = Sighting(service: "firebase", id: Inspected.id(1_000), name: "a", time: 9_000_000)
        first.product = "XY"
        first.fate = SenderReport.Fate(state: "held", reason: "")
        let second = Sighting(service: "awesomeTracking", id: "e2", name: "a", time: 9_000_000)

        let row = CollectedValue(Array(RowSummary.json(7, [first, second]).utf8))

        #expect((row?["n"], row?["t"], row?["p"]) == (7, 1_000, "XY"))
        #expect(row?["w"] == .array(["a"]))
        #expect(row?["x"]?.string == "\(Inspected.id(1_000)) e2")
        #expect(row?["s"]?[0] == .array(["firebase", "held", "", 0]))
        #expect(row?["s"]?[1] == .array(["awesomeTracking", "pending", "", 0]))
    }

    @Test func `a row without deliveries is its number alone`() {
        #expect(RowSummary.json(7, []) == #"{"n":7}"#)
    }
}
