import CoreTracker

/// What is to be erased.
extension LaneQueue {
    /// Takes out what the lane holds of a user up to an event: packs, held and quarantined events, and the batches that
    /// any of it was part of; returns the events' ids.
    mutating func erase(
        _ erasure: ErasureFile.Erasure,
        from outbox: any Outbox,
        change: inout LaneChange
    ) throws(OutboxError) -> [EventID] {
        var (erased, places) = ([EventID](), Set<PackPlace>())
        var last: PackPlace?
        while true {
            let page = try outbox.summaries(lane: stored.number, after: last, limit: 256)
            for summary in page where erasure.concerns(summary.user) {
                guard let pack = try outbox.pack(at: summary.place) else { continue }
                guard let rest = LaneQueue.rest(of: pack, after: erasure, &erased) else { continue }
                places.insert(summary.place)
                change.outbox.removed.append(summary.place)
                account(summary, sign: -1)
                if rest.count > 0 {
                    change.outbox.inserted.append(rest)
                    account(rest.summary, sign: 1)
                }
            }
            guard let end = page.last?.place else { break }
            last = end
        }
        for pack in try outbox.heldPacks(lane: stored.number) where erasure.concerns(pack.user) {
            guard let rest = LaneQueue.rest(of: pack, after: erasure, &erased) else { continue }
            change.outbox.removedHeld.append(pack.place)
            accountHeld(pack.summary, sign: -1)
            if rest.count > 0 {
                change.outbox.insertedHeld.append(rest)
                accountHeld(rest.summary, sign: 1)
            }
        }
        let pending = erased.count
        for event in try outbox.quarantined(lane: id, limit: .max)
        where erasure.concerns(event.user) && event.id <= erasure.last {
            change.outbox.removedQuarantined.append(event.id)
            erased.append(event.id)
        }
        for batch in batches where batch.packs.contains(where: places.contains) {
            change.outbox.removedBatches.append(batch.id)
        }
        batches.removeAll { $0.packs.contains(where: places.contains) }
        stored.ledger.quarantined -= erased.count - pending
        stored.ledger.drop(erased.count, .erased)
        if !erased.isEmpty || !places.isEmpty { change.outbox.note(stored) }
        return erased
    }

    /// What of a pack is later than an erasure; `nil` where nothing of it is to be erased.
    private static func rest(of pack: Pack, after erasure: ErasureFile.Erasure, _ erased: inout [EventID]) -> Pack? {
        let records = pack.read()
        // What is damaged cannot be told apart.
        let later = records.filter { $0.id > erasure.last }
        guard later.count < records.count || records.isEmpty else { return nil }
        erased += records.lazy.map(\.id).filter { $0 <= erasure.last }
        return pack.replacing(records: later, offset: records.count - later.count)
    }
}
