import CoreTracker

/// What is asked of the store.
extension DeliveryStore {
    /// Stores what a flush waits for, lets lanes skip a back-off, and ends the ticket when all is settled.
    ///
    /// A ticket whose deadline has passed meanwhile gets the same, only that nobody waits for it.
    func begin(_ ticket: FlushTicket) async {
        guard !isStopped else { return ticket.end() }
        persistAll(barrier: false)
        while !ticket.isEnded, keeper.adoptNext(lanes: &lanes) { await Task.yield() }
        guard !isStopped else { return ticket.end() }
        keeper.makeBarrier(lanes: &lanes)
        let now = moment
        lanes.adopt()
        for index in lanes.indices { lanes[index].skipBackoff(at: now) }
        lanes.publish(lanes.indices)
        let unstored = keeper.hasRoom ? [] : intake.ledgers.map(\.unstored)
        ticket.targets = Dictionary(
            uniqueKeysWithValues: lanes.indices.map { index in
                (index, lanes[index].stored.nextNumber + Int64(index < unstored.count ? unstored[index] : 0))
            }
        )
        tickets.append(ticket)
        finishTurn()
    }

    /// How each lane is doing.
    func statistics() -> [LaneStatistics] {
        lanes.adopt()
        let (now, ledgers) = (moment, intake.ledgers)
        return zip(lanes.queues, ledgers).map { lane, known in
            LaneStatistics(
                id: lane.id,
                ledger: known.ledger,
                opening: lane.opening,
                oldestPendingAge: lane.usage.oldest.map { $0.age(at: now) },
                lastSuccess: lane.stored.lastSuccess,
                status: lane.status,
                nextAttempt: lane.gate.reason.map { _ in max(.zero, now.monotonic.duration(to: lane.gate.notBefore)) },
                lastFailure: lane.stored.lastFailure.map(LaneFailure.init),
                storageFailure: keeper.failure
            )
        }
        .sorted { $0.id < $1.id }
    }

    /// Where an event is, and why.
    func explain(_ id: EventID) -> EventExplanation? {
        if let lane = intake.laneOfBuffered(id) { return EventExplanation(lane: lane, fate: .buffered) }
        return finder.explain(id)
    }

    /// A choice of the events that can be explained.
    func knownEvents(limit: Int) -> [KnownEvent] { finder.knownEvents(limit: limit) }

    /// Counts what is really there, lane by lane.
    func storedEvents() -> [LaneID: StoredEvents] {
        lanes.adopt()
        let (finder, ledgers) = (finder, intake.ledgers)
        return zip(lanes.queues, ledgers).reduce(into: [:]) { result, pair in
            let found = finder.count(pair.0)
            result[pair.0.id] = StoredEvents(
                pending: found.pending + pair.1.unstored,
                quarantined: found.quarantined,
                ledger: pair.1.ledger
            )
        }
    }

    /// The quarantined events of a lane, or of all, oldest first.
    func quarantined(lane: LaneID?) -> [QuarantinedEvent] {
        (try? keeper.outbox.quarantined(lane: lane, limit: .max)) ?? []
    }

    /// Puts quarantined events back at the end of their lanes; returns how many there were.
    func retryQuarantined(_ ids: Set<EventID>) -> Int {
        changeQuarantine { quarantine, change in quarantine.retry(ids, lanes: &lanes, change: &change) }
    }

    /// Gives quarantined events up, counted; returns how many there were.
    func discardQuarantined(_ ids: Set<EventID>) -> Int {
        changeQuarantine { quarantine, change in quarantine.discard(ids, lanes: &lanes, change: &change) }
    }

    private func changeQuarantine(_ body: (Quarantine, inout LaneChange) -> Void) -> Int {
        guard !isStopped else { return 0 }
        var change = LaneChange()
        body(quarantine, &change)
        let ids = change.outbox.removedQuarantined
        guard !ids.isEmpty else { return 0 }
        fates.forget(ids)
        apply(change, touching: [])
        return ids.count
    }

    private var finder: EventFinder {
        EventFinder(lanes: lanes.queues, outbox: keeper.outbox, fates: fates)
    }
}
