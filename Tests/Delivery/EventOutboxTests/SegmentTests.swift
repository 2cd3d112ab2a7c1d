import EventDeliveryTesting
import Testing

@testable import EventOutbox

@Suite struct SegmentTests {
    @Test func `records are read as they were appended, and the summary counts them`() {
        let segment = Segment.stub(ids: 3...5)

        #expect(segment.read().map(\.id) == [.stub(3), .stub(4), .stub(5)])
        #expect(segment.read().map { Array($0.fragment) } == [[0x33], [0x34], [0x35]])
        #expect(segment.summary.count == 3)
        #expect(segment.summary.bytes == segment.records.count)
    }

    @Test func `a part of a segment has the place of its first event`() {
        let segment = Segment.stub(number: 10, ids: 1...4)

        let part = segment.replacing(records: segment.read().dropFirst(3), offset: 3)

        #expect(part.place == SegmentPlace(lane: 1, number: 13))
        #expect(part.read().map(\.id) == [.stub(4)])
        #expect(part.count == 1)
    }

    @Test(arguments: [(1, Int64(1)), (7, 1 << 40 - 1), (4_194_303, 12)] as [(Int, Int64)])
    func `a place contains its lane and its number`(lane: Int, number: Int64) {
        let place = SegmentPlace(lane: lane, number: number)

        #expect(place.lane == lane)
        #expect(place.number == number)
        #expect(SegmentPlace(rawValue: place.rawValue) == place)
    }

    @Test func `places are ordered by lane, then by number`() {
        let places = [(2, 1), (1, 2), (1, 1)].map { SegmentPlace(lane: $0, number: $1) }

        #expect(places.sorted() == places.reversed())
    }
}
