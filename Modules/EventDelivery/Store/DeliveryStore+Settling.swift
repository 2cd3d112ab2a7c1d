/// How the answer to a batch becomes a change of the outbox.
extension DeliveryStore {
    /// Settles a lease: what arrived is deleted and counted in one transaction, what failed stays or goes aside.
    ///
    /// Where no batch is left, the next one is made in the same transaction.
    func settle(_ lease: Lease, _ settlement: Settlement) {
        guard lanes[lease.lane].leased == lease.stored.id else { return }
        lanes[lease.lane].leased = nil
        var change = OutboxChange()
        let isTimeKnown = receiverTime != nil
        noteReceiverTime(settlement.attempt)
        if !isTimeKnown, receiverTime != nil { expireForgotten(change: &change) }
        switch settlement.verdict {
        case .delivered: acknowledge(lease, settlement, change: &change)
        case .partial(let verdicts): settlePartly(lease, verdicts, settlement, change: &change)
        case .retry, .paused: keep(lease, suspicion: lease.stored.suspicion, change: &change)
        case .refused(let reason): refuse(lease, reason: reason, .none, settlement, change: &change)
        case .suspect(let reason): suspect(lease, reason: reason, settlement, change: &change)
        case .tooLarge: shrink(lease, settlement, change: &change)
        }
        noteGate(settlement.gate, lane: lease.lane)
        if lanes[lease.lane].batches.isEmpty, lanes[lease.lane].consent == .granted, settlement.gate.reason == nil {
            // Where it cannot be made now, leasing tries again and says why.
            try? planBatch(lane: lease.lane, change: &change)
        }
        if !change.insertedQuarantined.isEmpty { capQuarantine(change: &change) }
        let touched = Set(change.lanes.map { index(of: $0.id) } + [lease.lane])
        change.lanes = touched.map { lanes[$0].stored }
        record(change)
        publish(touched)
        let isEmpty = lanes[lease.lane].usage.totalEvents == 0
        lanes[lease.lane].usage.oldest = isEmpty ? nil : (try? head(lane: lease.lane))?.stored
        correctBooks(lane: lease.lane)
        checkFlushes()
    }

    /// Notes a gate that changed without an attempt.
    func note(_ gate: LaneGate, lane: Int) {
        noteGate(gate, lane: lane)
        checkFlushes()
    }

    private func noteGate(_ gate: LaneGate, lane: Int) {
        lanes[lane].stored.gate = gate.stored(at: moment)
        lanes[lane].gateReason = gate.reason
        lanes[lane].waitsUntil = gate.reason == nil ? nil : gate.notBefore
    }

    /// Takes the receiver's clock for right where this device's agrees with it.
    private func noteReceiverTime(_ attempt: Attempt) {
        guard let wall = attempt.receiverTime else { return }
        let now = moment
        let agrees = abs(wall.seconds - now.wall.seconds) <= 3600
        receiverTime = agrees ? StoredMoment(wall: wall, monotonic: now.monotonic, boot: boot) : nil
    }

    private func acknowledge(_ lease: Lease, _ settlement: Settlement, change: inout OutboxChange) {
        close(lease, change: &change)
        lanes[lease.lane].stored.ledger.delivered += lease.batch.events.count
        lanes[lease.lane].stored.lastSuccess = clock.wallTime()
        for event in lease.batch.events { note(event.id, lane: lease.lane, .delivered) }
        raiseLimit(lane: lease.lane, bodyBytes: settlement.bodyBytes)
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
        let place = lanes[lease.lane].batches.firstIndex { $0.id == lease.stored.id } ?? 0
        close(lease, change: &change)
        var retried = StoredBatch(id: batchIDs.next(at: clock.wallTime()), packs: [])
        var position = 0
        var delivered = 0
        for pack in lease.packs {
            var kept: [PackRecord] = []
            for event in lease.batch.events[position..<(position + pack.count)] {
                let verdict = verdicts[position]
                position += 1
                if verdict == nil { delivered += 1 }
                if verdict == .retry { kept.append(PackRecord(id: event.id, fragment: event.fragment)) }
                settle(event, verdict, lease: lease, settlement, change: &change)
            }
            guard !kept.isEmpty else { continue }
            let rest = pack.replacing(records: kept)
            change.inserted.append(rest)
            lanes[lease.lane].account(rest.summary, sign: 1)
            retried.packs.append(rest.place)
        }
        if delivered > 0 {
            lanes[lease.lane].stored.ledger.delivered += delivered
            lanes[lease.lane].stored.lastSuccess = clock.wallTime()
            condemnSibling(of: lease, change: &change)
        }
        guard !retried.packs.isEmpty else { return }
        change.savedBatches.append(retried)
        lanes[lease.lane].batches.insert(retried, at: min(place, lanes[lease.lane].batches.count))
    }

    /// Settles one event of a batch that was answered event by event.
    private func settle(
        _ event: OutgoingBatch.Event,
        _ verdict: BatchVerdict.EventVerdict?,
        lease: Lease,
        _ settlement: Settlement,
        change: inout OutboxChange
    ) {
        switch verdict {
        case nil: note(event.id, lane: lease.lane, .delivered)
        case .retry: break
        case .refused(let reason): quarantine(event, lease: lease, reason: reason, settlement, change: &change)
        case .lost:
            lanes[lease.lane].stored.ledger.drop(1, .lostAtReceiver)
            note(event.id, lane: lease.lane, .dropped(.lostAtReceiver))
            diagnostics.send(.dropped(lane: lanes[lease.lane].stored.id, reason: .lostAtReceiver, count: 1))
        }
    }

    private func refuse(
        _ lease: Lease,
        reason: String,
        _ suspicion: StoredBatch.Suspicion,
        _ settlement: Settlement,
        change: inout OutboxChange
    ) {
        guard lease.batch.events.count > 1 else {
            close(lease, change: &change)
            return quarantine(lease.batch.events[0], lease: lease, reason: reason, settlement, change: &change)
        }
        split(lease, at: lease.batch.events.count / 2, suspicion, change: &change)
    }

    /// Bisects once; a second half that is refused like the first pauses the lane, which its runner has done.
    ///
    /// Once the receiver has taken one half, the search in the other goes on as in a batch that was refused outright.
    private func suspect(_ lease: Lease, reason: String, _ settlement: Settlement, change: inout OutboxChange) {
        switch lease.stored.suspicion {
        case .none where lease.batch.events.count > 1:
            split(lease, at: lease.batch.events.count / 2, .half, change: &change)
        case .proven: refuse(lease, reason: reason, .proven, settlement, change: &change)
        case .none, .half, .deferred: keep(lease, suspicion: .deferred, change: &change)
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
        let learned = lanes[lease.lane].stored.learnedBodyBytes
        lanes[lease.lane].stored.learnedBodyBytes = max(1, min(learned > 0 ? learned : .max, settlement.bodyBytes / 2))
        lanes[lease.lane].successesAtLimit = 0
        split(lease, at: middle(of: lease.batch.events), .none, change: &change)
    }

    /// Lets the learnt limit grow by a sixteenth after each four batches that arrived and were more than half as large.
    private func raiseLimit(lane: Int, bodyBytes: Int) {
        let learned = lanes[lane].stored.learnedBodyBytes
        guard learned > 0, bodyBytes > learned / 2, let limits = lanes[lane].destination?.limits else { return }
        lanes[lane].successesAtLimit += 1
        guard lanes[lane].successesAtLimit >= 4 else { return }
        lanes[lane].successesAtLimit = 0
        let raised = learned + max(1, learned / 16)
        lanes[lane].stored.learnedBodyBytes = raised >= limits.bodyBytes ? 0 : raised
    }

    private func split(
        _ lease: Lease,
        at position: Int,
        _ suspicion: StoredBatch.Suspicion,
        change: inout OutboxChange
    ) {
        split(lease.stored, packs: lease.packs, at: position, suspicion, lane: lease.lane, change: &change)
    }

    private func note(_ id: EventID, lane: Int, _ fate: EventFate) {
        recentFates.note(id, lane: lanes[lane].stored.id, fate)
        // What has arrived needs no disk any more.
        confirm([id], .persisted)
    }
}
