package import CoreTracker

/// An outbox in memory: for tests, and for an engine that is opened without a directory.
///
/// It keeps every promise of ``Outbox`` but the survival of a killed process.
package final class InMemoryOutbox: Outbox {
    private var packs: [PackPlace: Pack] = [:]
    private var held: [PackPlace: Pack] = [:]
    private var openBatches: [EventID: StoredBatch] = [:]
    private var quarantine: [QuarantinedEvent] = []
    private var adopted: Set<String> = []
    private var storedLanes: [Int: StoredLane] = [:]

    package init() {}

    package func commit(_ change: OutboxChange, barrier: Bool) {
        for place in change.removed { packs[place] = nil }
        for place in change.removedHeld { held[place] = nil }
        for lane in change.grantedLanes {
            for (place, pack) in held where place.lane == lane {
                packs[place] = pack
                held[place] = nil
            }
        }
        for pack in change.inserted { packs[pack.place] = pack }
        for pack in change.insertedHeld { held[pack.place] = pack }
        for id in change.removedBatches { openBatches[id] = nil }
        for batch in change.savedBatches { openBatches[batch.id] = batch }
        let gone = Set(change.removedQuarantined + change.insertedQuarantined.map(\.id))
        quarantine.removeAll { gone.contains($0.id) }
        quarantine += change.insertedQuarantined
        for lane in change.lanes { storedLanes[lane.number] = lane }
        adopted.formUnion(change.adopted)
    }

    package func lanes() -> [StoredLane] {
        storedLanes.values.sorted { $0.number < $1.number }
    }

    package func batches(lane: Int) -> [StoredBatch] {
        openBatches.values.filter { $0.lane == lane }.sorted { $0.precedes($1) }
    }

    package func summaries(lane: Int, after place: PackPlace?, limit: Int) -> [PackSummary] {
        let start = place ?? PackPlace(lane: lane, number: 0)
        return packs.keys.filter { $0.lane == lane && $0 > start }.sorted().prefix(limit)
            .compactMap { packs[$0]?.summary }
    }

    package func heldPacks(lane: Int) -> [Pack] {
        held.values.filter { $0.place.lane == lane }.sorted { $0.place < $1.place }
    }

    package func pack(at place: PackPlace) -> Pack? {
        packs[place]
    }

    package func lastSummary(lane: Int) -> PackSummary? {
        (Array(packs.values) + Array(held.values)).filter { $0.place.lane == lane }.max { $0.place < $1.place }?.summary
    }

    package func adoptions() -> Set<String> { adopted }

    package func usage(lane: Int) -> LaneUsage {
        var usage = LaneUsage()
        for pack in packs.values where pack.place.lane == lane { usage.count(pack.summary, sign: 1) }
        for pack in held.values where pack.place.lane == lane { usage.countHeld(pack.summary, sign: 1) }
        usage.oldest = summaries(lane: lane, after: nil, limit: 1).first?.stored
        return usage
    }

    package func recount(lane: Int) -> LaneUsage { usage(lane: lane) }

    package func quarantined(lane: LaneID?, limit: Int) -> [QuarantinedEvent] {
        Array(quarantine.filter { lane == nil || $0.lane == lane }.prefix(limit))
    }

    package func purge(_ lanes: [StoredLane]) {
        for lane in lanes {
            packs = packs.filter { $0.key.lane != lane.number }
            held = held.filter { $0.key.lane != lane.number }
            openBatches = openBatches.filter { $0.value.lane != lane.number }
            quarantine.removeAll { $0.lane == lane.id }
            storedLanes[lane.number] = lane
        }
    }

    package func maintain() {}

    package let isPresent = true

    package func close() {}
}
