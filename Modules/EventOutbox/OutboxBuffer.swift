/// Changes that have happened and that the disk has not taken yet, merged into one.
package struct OutboxBuffer: Sendable {
    private(set) var removed: Set<PackPlace> = []
    private(set) var inserted: [PackPlace: Pack] = [:]
    private(set) var removedHeld: Set<PackPlace> = []
    private(set) var insertedHeld: [PackPlace: Pack] = [:]
    private(set) var removedBatches: Set<EventID> = []
    private(set) var savedBatches: [EventID: StoredBatch] = [:]
    private(set) var removedQuarantined: Set<EventID> = []
    private(set) var insertedQuarantined: [QuarantinedEvent] = []
    private(set) var lanes: [Int: StoredLane] = [:]
    private(set) var grantedLanes: Set<Int> = []
    private(set) var adopted: Set<String> = []
    package private(set) var isEmpty = true

    /// Adds a change that comes after those that are here.
    package mutating func add(_ change: OutboxChange) {
        isEmpty = false
        removed.formUnion(change.removed)
        for place in change.removed {
            inserted[place] = nil
            // What a grant in here is still to move is removed before it moves.
            if grantedLanes.contains(place.lane) { removedHeld.insert(place) }
        }
        removedHeld.formUnion(change.removedHeld)
        for place in change.removedHeld { insertedHeld[place] = nil }
        for lane in change.grantedLanes { grant(lane) }
        for pack in change.inserted { inserted[pack.place] = pack }
        for pack in change.insertedHeld { insertedHeld[pack.place] = pack }
        removedBatches.formUnion(change.removedBatches)
        for id in change.removedBatches { savedBatches[id] = nil }
        for batch in change.savedBatches { savedBatches[batch.id] = batch }
        let replaced = change.removedQuarantined + change.insertedQuarantined.map(\.id)
        removedQuarantined.formUnion(replaced)
        insertedQuarantined.removeAll { replaced.contains($0.id) }
        insertedQuarantined += change.insertedQuarantined
        for lane in change.lanes { lanes[lane.number] = lane }
        adopted.formUnion(change.adopted)
    }

    /// All of it as one change.
    package var change: OutboxChange {
        var change = OutboxChange()
        change.removed = removed.sorted()
        change.inserted = inserted.values.sorted { $0.place < $1.place }
        change.removedHeld = removedHeld.sorted()
        change.insertedHeld = insertedHeld.values.sorted { $0.place < $1.place }
        change.grantedLanes = grantedLanes.sorted()
        change.removedBatches = removedBatches.sorted()
        change.savedBatches = savedBatches.values.sorted { $0.precedes($1) }
        change.removedQuarantined = removedQuarantined.sorted()
        change.insertedQuarantined = insertedQuarantined
        change.lanes = lanes.values.sorted { $0.number < $1.number }
        change.adopted = adopted.sorted()
        return change
    }

    /// The events and the bytes that are kept in memory.
    package var size: (events: Int, bytes: Int) {
        let packs = [inserted.values, insertedHeld.values].joined()
        return packs.reduce((0, 0)) { ($0.0 + $1.count, $0.1 + $1.records.count) }
    }

    /// Takes out what concerns lanes, because nothing of it may be stored any more.
    package mutating func remove(_ purged: [StoredLane]) {
        let numbers = Set(purged.map(\.number))
        let ids = Set(purged.map(\.id))
        inserted = inserted.filter { !numbers.contains($0.key.lane) }
        insertedHeld = insertedHeld.filter { !numbers.contains($0.key.lane) }
        savedBatches = savedBatches.filter { !numbers.contains($0.value.lane) }
        insertedQuarantined.removeAll { ids.contains($0.lane) }
        grantedLanes.subtract(numbers)
        for lane in purged { lanes[lane.number] = lane }
    }

    private mutating func grant(_ lane: Int) {
        grantedLanes.insert(lane)
        for (place, pack) in insertedHeld where place.lane == lane {
            inserted[place] = pack
            insertedHeld[place] = nil
        }
    }
}
