/// How the answer to a batch becomes a change of the outbox.
extension DeliveryStore {
    /// Settles a lease: what arrived is deleted and counted in one transaction, what failed stays or goes aside.
    func settle(_ lease: Lease, _ settlement: Settlement) {
        guard lanes[lease.lane].leased == lease.stored.id else { return }
        lanes[lease.lane].leased = nil
        var change = OutboxChange()
        switch settlement.verdict {
        case .delivered: acknowledge(lease, change: &change)
        case .partial(let verdicts): settlePartly(lease, verdicts, settlement, change: &change)
        case .retry, .paused: keep(lease, suspicion: lease.stored.suspicion, change: &change)
        case .refused(let reason): refuse(lease, reason: reason, settlement, change: &change)
        case .suspect(let reason): suspect(lease, reason: reason, settlement, change: &change)
        case .tooLarge: shrink(lease, settlement, change: &change)
        }
        noteGate(settlement.gate, lane: lease.lane)
        change.lanes = [lanes[lease.lane].stored]
        record(change)
        publish([lease.lane])
        lanes[lease.lane].usage.oldest = oldest(lane: lease.lane)
        checkFlushes()
    }

    /// Notes a gate that changed without an attempt.
    func note(_ gate: LaneGate, lane: Int) {
        noteGate(gate, lane: lane)
        checkFlushes()
    }

    private func noteGate(_ gate: LaneGate, lane: Int) {
        lanes[lane].stored.gate = gate.stored(at: clock.monotonicTime())
        lanes[lane].gateReason = gate.reason
        lanes[lane].waitsUntil = gate.reason == nil ? nil : gate.notBefore
    }

    private func acknowledge(_ lease: Lease, change: inout OutboxChange) {
        close(lease, change: &change)
        let count = lease.batch.events.count
        lanes[lease.lane].stored.ledger.delivered += count
        lanes[lease.lane].stored.lastSuccess = clock.wallTime()
        note(lease.batch.events.map(\.id), lane: lease.lane, .delivered)
        raiseLimit(lane: lease.lane)
        condemnSibling(of: lease, change: &change)
    }

    /// Takes a batch and its packs out.
    private func close(_ lease: Lease, change: inout OutboxChange) {
        change.removed += lease.stored.packs
        change.removedBatches.append(lease.stored.id)
        lanes[lease.lane].batches.removeAll { $0.id == lease.stored.id }
        for pack in lease.packs { lanes[lease.lane].account(pack.summary, sign: -1) }
    }

    private func keep(_ lease: Lease, suspicion: StoredBatch.Suspicion, change: inout OutboxChange) {
        guard let position = lanes[lease.lane].batches.firstIndex(where: { $0.id == lease.stored.id }) else { return }
        lanes[lease.lane].batches[position].attempts += 1
        lanes[lease.lane].batches[position].suspicion = suspicion
        change.savedBatches.append(lanes[lease.lane].batches[position])
    }

    private func settlePartly(
        _ lease: Lease,
        _ verdicts: [Int: BatchVerdict.EventVerdict],
        _ settlement: Settlement,
        change: inout OutboxChange
    ) {
        close(lease, change: &change)
        var retried: [PackRecord] = []
        for (position, event) in lease.batch.events.enumerated() {
            switch verdicts[position] {
            case nil:
                lanes[lease.lane].stored.ledger.delivered += 1
                note([event.id], lane: lease.lane, .delivered)
            case .retry: retried.append(PackRecord(id: event.id, fragment: event.fragment))
            case .refused(let reason): quarantine(event, lease: lease, reason: reason, settlement, change: &change)
            case .lost(let reason):
                lanes[lease.lane].stored.ledger.drop(1, .lostAtReceiver)
                note([event.id], lane: lease.lane, .dropped(.lostAtReceiver))
                diagnostics.send(.dropped(lane: lanes[lease.lane].stored.id, reason: DropReason(reason), count: 1))
            }
        }
        lanes[lease.lane].stored.lastSuccess = clock.wallTime()
        if !retried.isEmpty { insertBatch(retried[...], offset: 0, lease: lease, .none, change: &change) }
    }

    private func refuse(_ lease: Lease, reason: String, _ settlement: Settlement, change: inout OutboxChange) {
        guard lease.batch.events.count > 1 else {
            close(lease, change: &change)
            return quarantine(lease.batch.events[0], lease: lease, reason: reason, settlement, change: &change)
        }
        split(lease, at: lease.batch.events.count / 2, .none, change: &change)
    }

    /// Bisects once; a second half that is refused like the first pauses the lane, which its runner has done.
    private func suspect(_ lease: Lease, reason: String, _ settlement: Settlement, change: inout OutboxChange) {
        switch lease.stored.suspicion {
        case .none where lease.batch.events.count > 1:
            split(lease, at: lease.batch.events.count / 2, .half, change: &change)
        case .half: keep(lease, suspicion: .deferred, change: &change)
        case .proven: refuse(lease, reason: reason, settlement, change: &change)
        case .none, .deferred: keep(lease, suspicion: lease.stored.suspicion, change: &change)
        }
    }

    /// Where one half of a suspect batch has arrived, the fault is in the other.
    private func condemnSibling(of lease: Lease, change: inout OutboxChange) {
        guard lease.stored.suspicion == .half || lease.stored.suspicion == .deferred else { return }
        for position in lanes[lease.lane].batches.indices
        where lanes[lease.lane].batches[position].suspicion == .deferred
            || lanes[lease.lane].batches[position].suspicion == .half
        {
            lanes[lease.lane].batches[position].suspicion = .proven
            change.savedBatches.append(lanes[lease.lane].batches[position])
        }
    }

    private func shrink(_ lease: Lease, _ settlement: Settlement, change: inout OutboxChange) {
        guard lease.batch.events.count > 1 else {
            close(lease, change: &change)
            return quarantine(lease.batch.events[0], lease: lease, reason: "too large", settlement, change: &change)
        }
        lanes[lease.lane].stored.learnedBodyBytes = max(1, settlement.bodyBytes / 2)
        lanes[lease.lane].successesAtLimit = 0
        let half = lease.batch.events.reduce(0) { $0 + $1.fragment.count } / 2
        var bytes = 0
        let position = lease.batch.events.firstIndex { event in
            bytes += event.fragment.count
            return bytes > half
        }
        split(lease, at: max(1, min(position ?? 1, lease.batch.events.count - 1)), .none, change: &change)
    }

    /// Lets the learnt limit grow by a sixteenth after each four batches that arrived.
    private func raiseLimit(lane: Int) {
        guard lanes[lane].stored.learnedBodyBytes > 0, let limits = lanes[lane].destination?.limits else { return }
        lanes[lane].successesAtLimit += 1
        guard lanes[lane].successesAtLimit >= 4 else { return }
        lanes[lane].successesAtLimit = 0
        let raised = lanes[lane].stored.learnedBodyBytes + max(1, lanes[lane].stored.learnedBodyBytes / 16)
        lanes[lane].stored.learnedBodyBytes = raised >= limits.bodyBytes ? 0 : raised
    }

    /// Makes two batches of one, in one transaction; each keeps its events and gets an id of its own.
    private func split(
        _ lease: Lease,
        at position: Int,
        _ suspicion: StoredBatch.Suspicion,
        change: inout OutboxChange
    ) {
        close(lease, change: &change)
        let records = lease.batch.events.map { PackRecord(id: $0.id, fragment: $0.fragment) }
        insertBatch(records[..<position], offset: 0, lease: lease, suspicion, change: &change)
        insertBatch(records[position...], offset: position, lease: lease, suspicion, change: &change)
    }

    private func insertBatch(
        _ records: ArraySlice<PackRecord>,
        offset: Int,
        lease: Lease,
        _ suspicion: StoredBatch.Suspicion,
        change: inout OutboxChange
    ) {
        guard let first = lease.packs.first else { return }
        let pack = first.replacing(records: records, offset: place(ofEvent: offset, in: lease))
        change.inserted.append(pack)
        lanes[lease.lane].account(pack.summary, sign: 1)
        let batch = StoredBatch(id: batchIDs.next(at: clock.wallTime()), packs: [pack.place], suspicion: suspicion)
        change.savedBatches.append(batch)
        let position = lanes[lease.lane].batches.firstIndex { $0.packs[0] > pack.place }
        lanes[lease.lane].batches.insert(batch, at: position ?? lanes[lease.lane].batches.endIndex)
    }

    /// The distance from the batch's first place to that of its event at a position.
    private func place(ofEvent position: Int, in lease: Lease) -> Int {
        var remaining = position
        for pack in lease.packs {
            if remaining < pack.count {
                return Int(pack.place.number - (lease.packs.first?.place.number ?? 0)) + remaining
            }
            remaining -= pack.count
        }
        return position
    }

    private func note(_ ids: [EventID], lane: Int, _ fate: EventFate) {
        for id in ids { recentFates.note(id, lane: lanes[lane].stored.id, fate) }
    }

    private func oldest(lane: Int) -> StoredMoment? {
        guard lanes[lane].usage.totalEvents > 0 else { return nil }
        return (try? outbox.summaries(lane: lanes[lane].stored.number, after: nil, limit: 1))?.first?.stored
    }
}
