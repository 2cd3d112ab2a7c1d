import CoreTracker

/// The events that receivers refused.
extension DeliveryStore {
    func quarantine(
        _ event: OutgoingBatch.Event,
        lease: Lease,
        reason: String,
        _ settlement: Settlement,
        change: inout OutboxChange
    ) {
        let lane = lanes[lease.lane].stored.id
        change.insertedQuarantined.append(
            QuarantinedEvent(
                id: event.id,
                lane: lane,
                reason: reason,
                answer: settlement.attempt.answer,
                time: clock.wallTime(),
                fragment: Array(event.fragment),
                key: lease.batch.key
            )
        )
        lanes[lease.lane].stored.ledger.quarantined += 1
        recentFates.note(event.id, lane: lane, .quarantined(reason: reason))
        // The reason may quote the receiver, and the receiver the event; a log gets the status alone.
        diagnostics.send(.quarantined(lane: lane, id: event.id, reason: settlement.attempt.cause))
    }

    /// The quarantined events of a lane, or of all, oldest first.
    func quarantined(lane: LaneID?) -> [QuarantinedEvent] {
        (try? outbox.quarantined(lane: lane, limit: .max)) ?? []
    }

    /// Puts quarantined events back at the end of their lanes; answers how many there were.
    func retryQuarantined(_ ids: Set<EventID>) -> Int {
        var change = OutboxChange()
        var touched: Set<Int> = []
        for event in quarantined(lane: nil) where ids.contains(event.id) && !isStopped {
            let index = index(of: event.lane)
            touched.insert(index)
            change.removedQuarantined.append(event.id)
            change.inserted.append(lanes[index].pack(of: event, stored: moment))
        }
        guard !touched.isEmpty else { return 0 }
        change.lanes = touched.map { lanes[$0].stored }
        record(change)
        recentFates.forget(change.removedQuarantined)
        publish(touched)
        for index in touched { lanes[index].wake.signal() }
        return change.removedQuarantined.count
    }

    /// Gives quarantined events up, counted; answers how many there were.
    func discardQuarantined(_ ids: Set<EventID>) -> Int {
        var change = OutboxChange()
        var touched: Set<Int> = []
        for event in quarantined(lane: nil) where ids.contains(event.id) && !isStopped {
            touched.insert(index(of: event.lane))
            giveUp(event, .discarded, change: &change)
        }
        guard !touched.isEmpty else { return 0 }
        change.lanes = touched.map { lanes[$0].stored }
        record(change)
        publish(touched)
        return change.removedQuarantined.count
    }

    /// Gives up what has become too old, then the oldest events of the lane that has most, until the quarantine fits
    /// its caps.
    func capQuarantine(change: inout OutboxChange) {
        let budget = configuration.budget
        var kept = quarantined(lane: nil).filter { !change.removedQuarantined.contains($0.id) }
        kept += change.insertedQuarantined
        let now = clock.monotonicTime()
        for event in kept where isExpired(event.time, now: now) { giveUp(event, .expired, change: &change) }
        kept.removeAll { change.removedQuarantined.contains($0.id) }
        var bytes = kept.reduce(0) { $0 + $1.fragment.count }
        while kept.count > budget.quarantinedEvents || bytes > budget.quarantinedBytes {
            let counts = Dictionary(grouping: kept, by: \.lane).mapValues(\.count)
            let fullest = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
            guard let position = kept.firstIndex(where: { $0.lane == fullest }) else { return }
            let oldest = kept.remove(at: position)
            bytes -= oldest.fragment.count
            change.insertedQuarantined.removeAll { $0.id == oldest.id }
            giveUp(oldest, .quarantineFull, change: &change)
        }
    }

    private func giveUp(_ event: QuarantinedEvent, _ reason: DropReason, change: inout OutboxChange) {
        let index = index(of: event.lane)
        change.removedQuarantined.append(event.id)
        lanes[index].stored.ledger.quarantined -= 1
        lanes[index].stored.ledger.drop(1, reason)
        change.lanes.append(lanes[index].stored)
        recentFates.note(event.id, lane: event.lane, .dropped(reason))
        diagnostics.send(.dropped(lane: event.lane, reason: reason, count: 1))
    }
}

extension LaneState {
    /// Takes an event back from quarantine as the lane's last.
    fileprivate mutating func pack(of event: QuarantinedEvent, stored now: StoredMoment) -> Pack {
        var pack = Pack(
            place: PackPlace(lane: stored.number, number: stored.nextNumber),
            priority: .normal,
            key: event.key,
            stored: now
        )
        pack.append(id: event.id, fragment: event.fragment)
        stored.nextNumber += 1
        stored.ledger.quarantined -= 1
        account(pack.summary, sign: 1)
        if usage.oldest == nil { usage.oldest = now }
        return pack
    }
}
