import LoopbackCollector
import Testing

@testable import EventInspector

@Suite struct LaneBoardTests {
    @Test func `arrivals are counted for their lane, even if the product becomes known later`() {
        var board = LaneBoard()
        board.count(service: "firebase", product: nil, status: 200)
        board.count(service: "firebase", product: nil, status: 503)
        board.count(service: "firebase", product: nil, status: nil)

        board.move((taken: 1, refused: 2), of: "firebase", to: "DL")

        #expect(board.json == #"[{"lane":"DL/firebase","taken":1,"refused":2}]"#)
    }

    @Test func `a sender's report is listed next to the counts, and survives their removal`() throws {
        var board = LaneBoard()
        let lane = try #require(SenderReport.Lane("DL/firebase"))
        board.count(service: "firebase", product: "DL", status: 200)

        board.set(lane, .object(["accepted": 9]))
        board.removeArrivals()

        #expect(board.json == #"[{"lane":"DL/firebase","taken":0,"refused":0,"sender":{"accepted":9}}]"#)
    }
}

@Suite struct SenderReportTests {
    @Test(arguments: [
        "{}", "7", "[]", #"{"kind":"event"}"#, #"{"kind":"event","lane":"DL"}"#, #"{"kind":"else","lane":"DL/a"}"#,
        #"{"kind":7,"lane":"DL/a"}"#,
    ]) func `invalid reports are ignored`(line: String) {
        #expect(CollectedValue(Array(line.utf8)).flatMap(SenderReport.init) == nil)
    }

    @Test func `missing or mistyped fields of a report are empty`() throws {
        let line = #"{"kind":"event","lane":"DL/a/b","id":7,"repairs":{"cut":2,"x":"y"},"refused":"name_empty"}"#
        let value = try #require(CollectedValue(Array(line.utf8)))
        guard case .event(let lane, let event)? = SenderReport(value) else {
            Issue.record("no event")
            return
        }

        #expect((lane.product, lane.service) == ("DL", "a/b"))
        #expect((event.id, event.name, event.own, event.time) == ("", "", "", 0))
        #expect(event.adjustments.map(\.rule) == ["cut"])
        #expect((event.error?.rule, event.error?.field) == ("name_empty", ""))
    }
}
