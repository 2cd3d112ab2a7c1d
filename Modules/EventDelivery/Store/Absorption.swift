/// Turns the contents of another outbox into a change of this one: packs get the next places of their lanes here.
struct Absorption {
    /// The lanes as they are once the change is committed.
    private(set) var lanes: [LaneQueue]
    var change = OutboxChange()

    init(lanes: [LaneQueue]) {
        self.lanes = lanes
    }

    /// Adds a lane with its packs and batches; what the user has refused since is counted and left behind.
    mutating func add(_ stored: StoredLane, of contents: OutboxContents, isEarlier: Bool) {
        guard let index = lanes.firstIndex(where: { $0.stored.id == stored.id }) else { return }
        lanes[index].stored.ledger.add(stored.ledger)
        if lanes[index].stored.purpose.isEmpty { lanes[index].stored.purpose = stored.purpose }
        if isEarlier { lanes[index].opening.add(stored.ledger) }
        defer { change.lanes.append(lanes[index].stored) }
        guard lanes[index].consent.consent != .denied else {
            lanes[index].stored.ledger.quarantined -= stored.ledger.quarantined
            lanes[index].stored.ledger.drop(stored.ledger.pending + stored.ledger.quarantined, .consentDenied)
            return
        }
        change.insertedQuarantined += contents.quarantined.filter { $0.lane == stored.id }
        var places: [PackPlace: PackPlace] = [:]
        for pack in contents.packs where pack.place.lane == stored.number {
            places[pack.place] = insert(pack, lane: index)
        }
        for pack in contents.held where pack.place.lane == stored.number {
            if lanes[index].consent.consent == .unknown {
                hold(pack, lane: index)
            } else {
                _ = insert(pack, lane: index)
            }
        }
        for batch in contents.batches where batch.lane == stored.number {
            var moved = batch
            moved.packs = batch.packs.compactMap { places[$0] }
            guard moved.packs.count == batch.packs.count else { continue }
            change.savedBatches.append(moved)
            lanes[index].batches.append(moved)
        }
    }

    private mutating func insert(_ pack: Pack, lane: Int) -> PackPlace {
        let moved = renumber(pack, lane: lane)
        change.inserted.append(moved)
        lanes[lane].account(moved.summary, sign: 1)
        return moved.place
    }

    private mutating func hold(_ pack: Pack, lane: Int) {
        let moved = renumber(pack, lane: lane)
        change.insertedHeld.append(moved)
        lanes[lane].accountHeld(moved.summary, sign: 1)
    }

    private mutating func renumber(_ pack: Pack, lane: Int) -> Pack {
        let place = PackPlace(lane: lanes[lane].stored.number, number: lanes[lane].stored.nextNumber)
        lanes[lane].stored.nextNumber += Int64(pack.count)
        var moved = Pack(place: place, priority: pack.priority, key: pack.key, stored: pack.stored)
        for record in pack.read() { moved.append(id: record.id, fragment: record.fragment) }
        return moved
    }
}
