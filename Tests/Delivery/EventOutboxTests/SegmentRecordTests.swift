import EventDeliveryTesting
import Testing

@testable import EventOutbox

@Suite struct SegmentRecordTests {
    @Test func `a damaged byte loses its own record and no other`() {
        let segment = Segment.stub(ids: 1...3)

        for index in segment.records.indices {
            var damaged = segment
            damaged.records[index] ^= 0xFF
            let length = SegmentRecord.overhead + 1
            let ids = damaged.read().map(\.id)
            #expect(ids == [1, 2, 3].filter { $0 != index / length + 1 }.map { .stub(UInt16($0)) })
        }
    }

    @Test(arguments: [(2, ""), (1, "ali")])
    func `a record of another lane or key is not read`(lane: Int, key: String) {
        let segment = Segment.stub(lane: 1, key: "")

        #expect(SegmentRecord.read(segment.records, seed: SegmentRecord.seed(lane: lane, key: key)).isEmpty)
    }

    @Test func `a truncated record is not read`() {
        let segment = Segment.stub(ids: 1...2)
        let cut = Array(segment.records.dropLast())

        #expect(SegmentRecord.read(cut, seed: SegmentRecord.seed(lane: 1, key: "")).map(\.id) == [.stub(1)])
    }

    @Test(.timeLimit(.minutes(5)))
    func `a search among bytes that all look like a record ends, and valid records before them are read`() {
        var segment = Segment.stub(ids: 1...2)
        // Each number is a possible length of a record.
        for _ in 0..<500_000 { segment.records += [0, 0, 1, 0] }

        #expect(segment.read().map(\.id) == [.stub(1), .stub(2)])
    }
}
