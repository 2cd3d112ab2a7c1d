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
