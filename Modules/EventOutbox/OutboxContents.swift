package import CoreTracker

/// Everything that one outbox holds, on its way into another: an orphan's, a damaged file's, or one in memory.
package struct OutboxContents: Sendable {
    package var lanes: [StoredLane] = []
    package var packs: [Pack] = []
    package var held: [Pack] = []
    package var batches: [StoredBatch] = []
    package var quarantined: [QuarantinedEvent] = []
    /// The events that were found missing.
    package private(set) var losses: [LaneID: Int] = [:]
    /// The places of packs that have lost records.
    private var harmed: Set<PackPlace> = []

    package init() {}

    /// Reads all that is sound of an outbox's lanes; what is missing is counted in their books.
    package init(of outbox: any Outbox, lanes: [StoredLane]) throws(OutboxError) {
        self.lanes = lanes
        for lane in lanes {
            var place: PackPlace?
            while let last = try readPage(of: outbox, lane: lane.number, after: place) { place = last }
            for pack in try outbox.heldPacks(lane: lane.number) { add(pack, isHeld: true) }
            batches += try outbox.batches(lane: lane.number)
        }
        quarantined = try outbox.quarantined(lane: nil, limit: .max)
        countLosses()
    }

    /// Adds what is sound of a pack; a batch that it is part of is dissolved when that is not all of it.
    package mutating func add(_ pack: Pack, isHeld: Bool) {
        let records = pack.read()
        if records.count != pack.count { harmed.insert(pack.place) }
        guard !records.isEmpty else { return }
        let sound = records.count == pack.count ? pack : pack.replacing(records: records)
        if isHeld { held.append(sound) } else { packs.append(sound) }
    }

    /// Events in packs, held ones included.
    package var pendingEvents: Int { (packs + held).reduce(0) { $0 + $1.count } }

    /// The change that brings all of it into an empty outbox, every pack to its own place.
    package var change: OutboxChange {
        var change = OutboxChange()
        change.inserted = packs
        change.insertedHeld = held
        change.savedBatches = batches
        change.insertedQuarantined = quarantined
        change.lanes = lanes
        return change
    }

    private mutating func readPage(
        of outbox: any Outbox,
        lane: Int,
        after place: PackPlace?
    ) throws(OutboxError) -> PackPlace? {
        let page = try outbox.summaries(lane: lane, after: place, limit: 256)
        for summary in page {
            if let pack = try outbox.pack(at: summary.place) { add(pack, isHeld: false) }
        }
        return page.last?.place
    }

    /// Makes each lane's books agree with what was found: what is missing is counted as damaged, what the books do not
    /// know as accepted; batches that lack a pack are dissolved.
    package mutating func countLosses() {
        let found = Dictionary((packs + held).map { ($0.place.lane, $0.count) }, uniquingKeysWith: +)
        for index in lanes.indices {
            let refused = quarantined.count { $0.lane == lanes[index].id }
            let lost = lanes[index].ledger.agree(pending: found[lanes[index].number] ?? 0, quarantined: refused)
            if lost > 0 { losses[lanes[index].id] = lost }
        }
        let whole = Set(packs.map(\.place)).subtracting(harmed)
        batches.removeAll { batch in !batch.packs.allSatisfy(whole.contains) }
    }
}
