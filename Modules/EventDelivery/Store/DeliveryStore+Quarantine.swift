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
                answer: settlement.answer,
                time: clock.wallTime(),
                fragment: Array(event.fragment),
                key: lease.batch.key
            )
        )
        lanes[lease.lane].stored.ledger.quarantined += 1
        recentFates.note(event.id, lane: lane, .quarantined(reason: reason))
        diagnostics.send(.quarantined(lane: lane, id: event.id, reason: reason))
        capQuarantine(lane: lease.lane, change: &change)
    }

    /// The quarantined events of a lane, or of all, oldest first.
    func quarantined(lane: LaneID?) -> [QuarantinedEvent] {
        (try? outbox.quarantined(lane: lane, limit: configuration.budget.quarantinedEvents)) ?? []
    }

    /// Puts quarantined events back at the end of their lanes; answers how many there were.
    func retryQuarantined(_ ids: Set<EventID>) -> Int {
        let events = quarantined(lane: nil).filter { ids.contains($0.id) }
        for event in events {
            let index = index(of: event.lane)
            var pack = Pack(
                place: PackPlace(lane: lanes[index].stored.number, number: lanes[index].stored.nextNumber),
                priority: .normal,
                key: event.key,
                stored: moment
            )
            pack.append(id: event.id, fragment: event.fragment)
            lanes[index].stored.nextNumber += 1
            lanes[index].stored.ledger.quarantined -= 1
            lanes[index].account(pack.summary, sign: 1)
            var change = OutboxChange()
            change.removedQuarantined = [event.id]
            change.inserted = [pack]
            change.lanes = [lanes[index].stored]
            record(change)
            publish([index])
            lanes[index].wake.signal()
        }
        return events.count
    }

    /// Gives quarantined events up, counted; answers how many there were.
    func discardQuarantined(_ ids: Set<EventID>) -> Int {
        let events = quarantined(lane: nil).filter { ids.contains($0.id) }
        for event in events {
            let index = index(of: event.lane)
            var change = OutboxChange()
            giveUp(event, lane: index, .discarded, change: &change)
            change.lanes = [lanes[index].stored]
            record(change)
            publish([index])
        }
        return events.count
    }

    private func capQuarantine(lane index: Int, change: inout OutboxChange) {
        let total = lanes.reduce(0) { $0 + $1.stored.ledger.quarantined }
        guard total > configuration.budget.quarantinedEvents else { return }
        let own = (try? outbox.quarantined(lane: lanes[index].stored.id, limit: 1)) ?? []
        guard let oldest = own.first ?? change.insertedQuarantined.first else { return }
        change.insertedQuarantined.removeAll { $0.id == oldest.id }
        giveUp(oldest, lane: index, .quarantineFull, change: &change)
    }

    private func giveUp(_ event: QuarantinedEvent, lane: Int, _ reason: DropReason, change: inout OutboxChange) {
        change.removedQuarantined.append(event.id)
        lanes[lane].stored.ledger.quarantined -= 1
        lanes[lane].stored.ledger.drop(1, reason)
        recentFates.note(event.id, lane: event.lane, .dropped(reason))
        diagnostics.send(.dropped(lane: event.lane, reason: reason, count: 1))
    }
}
