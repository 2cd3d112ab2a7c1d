import EventDeliveryTesting
import Testing

@testable import EventOutbox

@Suite struct PackTests {
    @Test func `its records are read as they were appended, and its summary counts them`() {
        let pack = Pack.stub(ids: 3...5)

        #expect(pack.read().map(\.id) == [.stub(3), .stub(4), .stub(5)])
        #expect(pack.read().map { Array($0.fragment) } == [[0x33], [0x34], [0x35]])
        #expect(pack.summary.count == 3)
        #expect(pack.summary.bytes == pack.records.count)
    }

    @Test func `a part of it stands as far back as it begins`() {
        let pack = Pack.stub(number: 10, ids: 1...4)

        let part = pack.replacing(records: pack.read().dropFirst(3), offset: 3)

        #expect(part.place == PackPlace(lane: 1, number: 13))
        #expect(part.read().map(\.id) == [.stub(4)])
        #expect(part.count == 1)
    }

    @Test(arguments: [(1, Int64(1)), (7, 1 << 40 - 1), (4_194_303, 12)] as [(Int, Int64)])
    func `a place keeps its lane and its number`(lane: Int, number: Int64) {
        let place = PackPlace(lane: lane, number: number)

        #expect(place.lane == lane)
        #expect(place.number == number)
        #expect(PackPlace(rawValue: place.rawValue) == place)
    }

    @Test func `places are in order of their lanes, then of their numbers`() {
        let places = [(2, 1), (1, 2), (1, 1)].map { PackPlace(lane: $0, number: $1) }

        #expect(places.sorted() == places.reversed())
    }
}
