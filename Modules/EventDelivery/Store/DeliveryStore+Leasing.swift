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
        guard storageFailure == nil || readFailures == 0 else { return nil }
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
                    guard isPlanned else {
                        // Rows that the counts know and nobody finds have been lost with a damaged page.
                        if try lacksRows(lane: index) { try reconcile(lane: index) }
                        return nil
                    }
                }
            } catch {
                handleRead(error)
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
            guard let pack = try outbox.pack(at: place) else { continue }
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
        readFailures = 0
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

    /// Rewrites what is left of damaged packs, and counts what is gone.
    private func mend(_ batch: StoredBatch, packs: [Pack], lane index: Int) throws(OutboxError) {
        var change = OutboxChange()
        change.removedBatches = [batch.id]
        change.removed = batch.packs
        for pack in packs {
            let sound = pack.replacing(records: pack.read())
            if sound.count > 0 { change.inserted.append(sound) }
        }
        lanes[index].batches.removeAll { $0.id == batch.id }
        record(change)
        try reconcile(lane: index)
    }

    /// Whether a lane should have free packs, by the counts, but has none.
    private func lacksRows(lane index: Int) throws(OutboxError) -> Bool {
        guard lanes[index].batches.isEmpty, lanes[index].usage.totalEvents > 0 else { return false }
        return try head(lane: index) == nil
    }

    /// Counts a lane's rows anew, and what is missing as damage.
    func reconcile(lane index: Int) throws(OutboxError) {
        lanes[index].usage = try outbox.recount(lane: lanes[index].stored.number)
        correctBooks(lane: index)
    }

    /// Makes a lane's books agree with the count of its rows; the difference is damage.
    func correctBooks(lane index: Int) {
        let found = lanes[index].usage.totalEvents + lanes[index].usage.heldEvents
        let ledger = lanes[index].stored.ledger
        guard ledger.pending != found else { return }
        let missing = lanes[index].stored.ledger.agree(pending: found, quarantined: ledger.quarantined)
        var change = OutboxChange()
        change.lanes = [lanes[index].stored]
        record(change)
        publish([index])
        guard missing > 0 else { return }
        diagnostics.send(.dropped(lane: lanes[index].stored.id, reason: .corrupted, count: missing))
    }
}
