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
    /// The next batch of a lane: the one that is still open, as it was, or a new one; `nil` when nothing waits.
    func lease(lane index: Int) -> Lease? {
        guard !isStopped, lanes[index].consent == .granted, lanes[index].destination != nil else { return nil }
        defer { checkFlushes() }
        while true {
            do throws(OutboxError) {
                if let batch = try nextBatch(lane: index) {
                    if let lease = try open(batch, lane: index) { return lease }
                } else {
                    var change = OutboxChange()
                    try planBatch(lane: index, change: &change)
                    let isPlanned = !change.savedBatches.isEmpty
                    if isPlanned || !change.removed.isEmpty { record(change) }
                    if !change.lanes.isEmpty { publish([index]) }
                    guard isPlanned else { return nil }
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

    /// The open batch to send next; `nil` when a new one has to be made.
    ///
    /// A refused batch that nothing can be compared with waits until the events behind it have been tried: one of
    /// the two tells whether the batch or the receiver is at fault.
    private func nextBatch(lane index: Int) throws(OutboxError) -> StoredBatch? {
        let batches = lanes[index].batches
        if let batch = batches.first(where: { $0.suspicion != .deferred }) { return batch }
        if batches.count == 1 {
            var change = OutboxChange()
            if try formBatch(lane: index, suspicion: .half, change: &change) {
                record(change)
                return lanes[index].batches.last
            }
        }
        return batches.min { $0.attempts < $1.attempts }
    }

    /// Reads the events of a batch.
    ///
    /// `nil` comes back when the batch has changed instead: it had become too old, or too large for what a lane has
    /// learnt since, or had lost events to damage.
    private func open(_ batch: StoredBatch, lane index: Int) throws(OutboxError) -> Lease? {
        var packs: [Pack] = []
        var events: [OutgoingBatch.Event] = []
        for place in batch.packs {
            guard let pack = try storedPack(at: place) else { continue }
            packs.append(pack)
            events += pack.read().map { OutgoingBatch.Event(id: $0.id, fragment: $0.fragment) }
        }
        guard packs.count == batch.packs.count, events.count == packs.reduce(0, { $0 + $1.count }),
            let key = packs.first?.key, packs.allSatisfy({ $0.key == key })
        else {
            try mend(batch, packs: packs, lane: index)
            return nil
        }
        let now = moment
        if packs.allSatisfy({ isExpired($0.stored, now: now) }) {
            dropExpired(batch, packs: packs, lane: index)
            return nil
        }
        if isTooLarge(batch, events, lane: index) {
            var change = OutboxChange()
            split(batch, packs: packs, at: middle(of: events), .none, lane: index, change: &change)
            record(change)
            return nil
        }
        lanes[index].leased = batch.id
        let outgoing = OutgoingBatch(id: batch.id, key: key, attempt: batch.attempts + 1, events: events)
        let isLastHalf = lanes[index].batches.contains { $0.suspicion == .deferred && $0.id != batch.id }
        return Lease(lane: index, batch: outgoing, stored: batch, packs: packs, isLastHalf: isLastHalf)
    }

    /// Whether a batch that has never been sent is clearly larger than its receiver takes, as the lane has learnt.
    private func isTooLarge(_ batch: StoredBatch, _ events: [OutgoingBatch.Event], lane index: Int) -> Bool {
        guard batch.attempts == 0, batch.suspicion == .none, events.count > 1, let limits = lanes[index].limits else {
            return false
        }
        let bytes = events.reduce(limits.framingBytes) { $0 + $1.fragment.count }
        return bytes > limits.bodyBytes + limits.bodyBytes / 8
    }

    /// One pack as it will be once the disk has room for what has happened already.
    func storedPack(at place: PackPlace) throws(OutboxError) -> Pack? {
        for change in unrecorded.reversed() {
            if let pack = change.inserted.last(where: { $0.place == place }) { return pack }
            if change.removed.contains(place) { return nil }
        }
        return try outbox.pack(at: place)
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
}
