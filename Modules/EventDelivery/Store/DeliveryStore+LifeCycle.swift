/// Start and end of the store.
extension DeliveryStore {
    /// Opens the outbox, lets the intake's events in, and answers the lanes.
    func start() -> [LaneState] {
        open()
        let denied = lanes.indices.filter { lanes[$0].consent == .denied }
        openedDeviceID = deviceID
        intake.deny(denied)
        intake.open(limits: configuration.limits, sessionTimeout: configuration.sessionTimeout, deviceID: deviceID)
        applyConsentToBacklog()
        persistBuffered()
        makeBarrier()
        return lanes
    }

    /// Applies what the user says now to what an earlier run has left.
    private func applyConsentToBacklog() {
        do throws(OutboxError) {
            let refused = lanes.indices.filter { index in
                let ledger = lanes[index].stored.ledger
                return lanes[index].consent == .denied && ledger.pending + ledger.quarantined > 0
            }
            if !refused.isEmpty { try apply(.denied, to: refused) }
            let agreed = lanes.indices.filter { lanes[$0].consent == .granted && lanes[$0].usage.heldEvents > 0 }
            if !agreed.isEmpty { try apply(.granted, to: agreed) }
        } catch {
            storageFailed(error)
        }
    }

    /// Stores what is left and closes the outbox; receipts that still wait are answered.
    func stop() {
        var change = OutboxChange()
        change.lanes = lanes.map(\.stored)
        record(change)
        persistAll(barrier: true)
        isStopped = true
        // What neither the disk nor the memory had room for.
        intake.giveUpBuffered()
        confirm(Array(unconfirmed.keys), .lost(.closed))
        // Whoever starts next takes over what there was no time for.
        for orphan in orphans { orphan.outbox.close() }
        orphans = []
        for flush in flushes { flush.continuation.resume() }
        flushes = []
        outbox.close()
        outbox = BufferedOutbox(InMemoryOutbox())
        file = nil
        intake.wake.signal()
        for lane in lanes { lane.wake.signal() }
    }

    /// What a flush has achieved.
    func report(targets: [Int: Int64], before: [LaneStatistics], deadline: MonotonicInstant) -> FlushReport {
        let (now, books) = (clock.monotonicTime(), intake.books)
        let delivered = Dictionary(before.map { ($0.id, $0.ledger.delivered) }) { first, _ in first }
        let reports = targets.map { index, target in
            let ledger = books[index].ledger
            return FlushReport.Lane(
                id: lanes[index].stored.id,
                outcome: outcome(lane: index, target: target, now: now, deadline: deadline),
                delivered: ledger.delivered - (delivered[lanes[index].stored.id] ?? 0),
                pending: ledger.pending
            )
        }
        return FlushReport(lanes: reports.sorted { $0.id < $1.id })
    }
}
