/// Everything that one outbox holds, on its way into another: an orphan's, a damaged file's, or one in memory.
struct OutboxContents: Sendable {
    var lanes: [StoredLane] = []
    var packs: [Pack] = []
    var held: [Pack] = []
    var quarantined: [QuarantinedEvent] = []

    init() {}

    /// Reads all of an outbox that is still sound; damaged records are left out.
    init(of outbox: any Outbox) throws(OutboxError) {
        lanes = try outbox.lanes()
        for lane in lanes {
            var place: PackPlace?
            while let last = try readPage(of: outbox, lane: lane.number, after: place) { place = last }
            held += try outbox.heldPacks(lane: lane.number)
        }
        quarantined = try outbox.quarantined(lane: nil, limit: .max)
        countLosses()
    }

    /// Events in packs, held ones included.
    var pendingEvents: Int { (packs + held).reduce(0) { $0 + $1.count } }

    private mutating func readPage(
        of outbox: any Outbox,
        lane: Int,
        after place: PackPlace?
    ) throws(OutboxError) -> PackPlace? {
        let page = try outbox.summaries(lane: lane, after: place, limit: 256)
        for summary in page {
            guard let pack = try outbox.pack(at: summary.place) else { continue }
            let sound = pack.replacing(records: pack.read())
            if sound.count > 0 { packs.append(sound) }
        }
        return page.last?.place
    }

    /// Makes each lane's books agree with what was found: what is missing is counted as damaged, what the books do not
    /// know as accepted.
    mutating func countLosses() {
        for index in lanes.indices {
            let number = lanes[index].number
            let found = (packs + held).reduce(0) { $0 + ($1.place.lane == number ? $1.count : 0) }
            let refused = quarantined.count { $0.lane == lanes[index].id }
            let unknown = refused - lanes[index].ledger.quarantined
            lanes[index].ledger.quarantined = refused
            if unknown > 0 { lanes[index].ledger.accepted += unknown }
            if unknown < 0 { lanes[index].ledger.drop(-unknown, .corrupted) }
            let missing = lanes[index].ledger.pending - found
            if missing > 0 { lanes[index].ledger.drop(missing, .corrupted) }
            if missing < 0 { lanes[index].ledger.accepted -= missing }
        }
    }
}
