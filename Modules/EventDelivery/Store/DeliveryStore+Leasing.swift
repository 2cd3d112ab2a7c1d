/// A batch on its way: what the lane sends, and what the store needs in order to settle it.
struct Lease: Sendable {
    let lane: Int
    let batch: OutgoingBatch
    let stored: StoredBatch
    let packs: [Pack]
    /// Whether the other half of a bisected suspect batch has been refused already.
    let isLastHalf: Bool
}

/// How batches get out of the outbox.
extension DeliveryStore {
    /// How many packs are looked at for more events of the same batch key.
    private static let window = 256

    /// The next batch of a lane: the one that is still open, as it was, or a new one; `nil` when nothing waits.
    func lease(lane index: Int) -> Lease? {
        guard !isStopped, lanes[index].consent == .granted, lanes[index].destination != nil else { return nil }
        while true {
            do throws(OutboxError) {
                if let batch = lanes[index].batches.first(where: { $0.suspicion != .deferred })
                    ?? lanes[index].batches.first
                {
                    if let lease = try open(batch, lane: index) { return lease }
                } else {
                    try expire(lane: index)
                    guard try formBatch(lane: index) else { return nil }
                }
            } catch {
                handle(error)
                return nil
            }
        }
    }

    /// Gives a lease back unsent.
    func release(_ lease: Lease) {
        if lanes[lease.lane].leased == lease.stored.id { lanes[lease.lane].leased = nil }
    }

    /// Reads the events of a batch.
    ///
    /// A batch that has lost events to damage is dissolved, and `nil` comes back.
    private func open(_ batch: StoredBatch, lane index: Int) throws(OutboxError) -> Lease? {
        var packs: [Pack] = []
        var events: [OutgoingBatch.Event] = []
        for place in batch.packs {
            guard let pack = try outbox.pack(at: place) else { continue }
            let records = pack.read()
            packs.append(pack)
            events += records.map { OutgoingBatch.Event(id: $0.id, fragment: $0.fragment) }
        }
        guard packs.count == batch.packs.count, events.count == packs.reduce(0, { $0 + $1.count }),
            let key = packs.first?.key, packs.allSatisfy({ $0.key == key })
        else {
            try mend(batch, packs: packs, lane: index)
            return nil
        }
        lanes[index].leased = batch.id
        let outgoing = OutgoingBatch(id: batch.id, key: key, attempt: batch.attempts + 1, events: events)
        let isLastHalf = lanes[index].batches.contains { $0.suspicion == .deferred && $0.id != batch.id }
        return Lease(lane: index, batch: outgoing, stored: batch, packs: packs, isLastHalf: isLastHalf)
    }

    /// Forms a batch from the lane's oldest packs of one key; `false` when nothing waits.
    private func formBatch(lane index: Int) throws(OutboxError) -> Bool {
        guard let limits = lanes[index].limits else { return false }
        let skipped = Set(unrecorded.flatMap(\.removed))
        let number = lanes[index].stored.number
        var summaries = try outbox.summaries(lane: number, after: nil, limit: DeliveryStore.window + skipped.count)
        summaries.removeAll { skipped.contains($0.place) }
        guard let head = summaries.first else { return false }
        var batch = StoredBatch(id: batchIDs.next(at: clock.wallTime()), packs: [])
        var events = 0
        var bytes = limits.framingBytes
        for summary in summaries where summary.key == head.key {
            let isFirst = batch.packs.isEmpty
            guard isFirst || events + summary.count <= limits.events && bytes + summary.bytes <= limits.bodyBytes else {
                break
            }
            batch.packs.append(summary.place)
            events += summary.count
            bytes += summary.bytes
        }
        var change = OutboxChange()
        change.savedBatches = [batch]
        record(change)
        lanes[index].batches.append(batch)
        return true
    }

    /// Rewrites what is left of damaged packs, and counts what is gone.
    private func mend(_ batch: StoredBatch, packs: [Pack], lane index: Int) throws(OutboxError) {
        var change = OutboxChange()
        change.removedBatches = [batch.id]
        change.removed = batch.packs
        for pack in packs {
            let sound = pack.replacing(records: pack.read())
            if sound.count > 0 { change.inserted.append(sound) }
        }
        try commit(change)
        lanes[index].batches.removeAll { $0.id == batch.id }
        try reconcile(lane: index)
    }

    /// Compares a lane's books with what its packs really hold, and counts the difference as damage.
    func reconcile(lane index: Int) throws(OutboxError) {
        let usage = try outbox.usage(lane: lanes[index].stored.number)
        lanes[index].usage = usage
        let missing = lanes[index].stored.ledger.pending - usage.totalEvents - usage.heldEvents
        guard missing != 0 else { return }
        if missing > 0 {
            lanes[index].stored.ledger.drop(missing, .corrupted)
            diagnostics.send(.dropped(lane: lanes[index].stored.id, reason: .corrupted, count: missing))
        } else {
            lanes[index].stored.ledger.accepted -= missing
        }
        var change = OutboxChange()
        change.lanes = [lanes[index].stored]
        try commit(change)
        publish([index])
    }

    /// Drops what has become too old, oldest first, by a clock that can be trusted.
    func expire(lane index: Int) throws(OutboxError) {
        let now = moment
        let batched = lanes[index].batchedPlaces
        while let head = try outbox.summaries(lane: lanes[index].stored.number, after: nil, limit: 1).first,
            !batched.contains(head.place), isExpired(head.stored, now: now)
        {
            var change = OutboxChange()
            change.removed = [head.place]
            lanes[index].account(head, sign: -1)
            lanes[index].stored.ledger.drop(head.count, .expired)
            change.lanes = [lanes[index].stored]
            record(change)
            guard storageFailure == nil else { return }
            publish([index])
            diagnostics.send(.dropped(lane: lanes[index].stored.id, reason: .expired, count: head.count))
        }
    }

    /// Whether something stored is too old: by the monotonic clock within one boot, else by a confirmed wall clock.
    private func isExpired(_ stored: StoredMoment, now: StoredMoment) -> Bool {
        if stored.boot == now.boot {
            return stored.monotonic.duration(to: now.monotonic) > configuration.budget.age
        }
        guard isWallClockConfirmed else { return false }
        let microseconds = now.wall.microseconds.subtractingReportingOverflow(stored.wall.microseconds).partialValue
        return microseconds / 1000 > configuration.budget.age.nanoseconds / 1_000_000
    }
}
