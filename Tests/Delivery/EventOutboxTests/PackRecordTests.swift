import EventDeliveryTesting
import Testing

@testable import EventOutbox

@Suite struct PackRecordTests {
    @Test func `damage to any byte costs the records that it touches, and no other`() {
        let pack = Pack.stub(ids: 1...3)

        for index in pack.records.indices {
            var damaged = pack
            damaged.records[index] ^= 0xFF
            let length = PackRecord.overhead + 1
            let ids = damaged.read().map(\.id)
            #expect(ids == [1, 2, 3].filter { $0 != index / length + 1 }.map { .stub(UInt16($0)) })
        }
    }

    @Test(arguments: [(2, ""), (1, "ali")])
    func `a record that strayed to another lane or key is not read`(lane: Int, key: String) {
        let pack = Pack.stub(lane: 1, key: "")

        #expect(PackRecord.read(pack.records, seed: PackRecord.seed(lane: lane, key: key)).isEmpty)
    }

    @Test func `a record that is cut off is not read`() {
        let pack = Pack.stub(ids: 1...2)
        let cut = Array(pack.records.dropLast())

        #expect(PackRecord.read(cut, seed: PackRecord.seed(lane: 1, key: "")).map(\.id) == [.stub(1)])
    }

    @Test(.timeLimit(.minutes(5)))
    func `bytes that look like a record everywhere are given up, behind sound records`() {
        var pack = Pack.stub(ids: 1...2)
        // Each number says that the record reaches almost to the end.
        for _ in 0..<500_000 { pack.records += [0, 0, 1, 0] }

        #expect(pack.read().map(\.id) == [.stub(1), .stub(2)])
    }
}
