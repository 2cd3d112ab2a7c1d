import CoreTracker
import EventOutbox
import EventTracking

/// Reports, which change no stored data.
extension DeliveryState {
    /// Returns the statistics of each lane, sorted by lane.
    func statistics() -> [LaneStatistics] {
        lanes.adopt()
        let (now, ledgers, surroundings) = (moment, buffer.ledgers, surroundings)
        return zip(lanes.queues, ledgers).map { lane, known in
            let wait = now.monotonic.duration(to: lane.retryState.notBefore)
            return LaneStatistics(
                id: lane.id,
                ledger: known.ledger,
                opening: lane.opening,
                oldestQueuedAge: lane.status.eventsAwaitingConsent > 0 ? nil : lane.head?.stored.age(at: now),
                lastSuccess: lane.stored.receiver.lastSuccess,
                purpose: lane.stored.purpose,
                status: lane.status,
                nextAttempt: lane.retryState.reason.map { _ in max(.zero, wait) },
                nextSending: lane.dueTime(at: now).map { max(.zero, now.monotonic.duration(to: $0)) },
                lastFailure: lane.stored.receiver.lastFailure,
                request: lane.oldestRequest.map { (max(.zero, $0.start.duration(to: now.monotonic)), $0.receiver) },
                requests: lane.requests,
                storageFailure: storage.failure,
                now: now.wall,
                surroundings: surroundings
            )
        }
        .sorted(by: \.id)
    }

    /// The facts around all lanes, for their explanations.
    private var surroundings: LaneSurroundings {
        var surroundings = buffer.surroundings
        surroundings.directory = storage.directory
        surroundings.isUsedByThisProcess = storage.isUsedByThisProcess
        if isStopped { surroundings.phase = .closed }
        return surroundings
    }

    /// Reports the stored events of each lane, which it counts by reading them.
    func storedEvents() -> [LaneID: StoredEvents] {
        lanes.adopt()
        let (finder, ledgers) = (finder, buffer.ledgers)
        return zip(lanes.queues, ledgers).keyed { lane, buffered in
            let pending = finder.count(lane) + buffered.unstored
            let quarantined = quarantine.events.count { $0.lane == lane.id }
            return (lane.id, StoredEvents(pending: pending, quarantined: quarantined, ledger: buffered.ledger))
        }
    }

    /// A finder for the events of all lanes.
    var finder: EventFinder {
        EventFinder(
            lanes: lanes.queues,
            outbox: storage.outbox,
            row: row,
            quarantined: visibleQuarantined,
            journal: journal
        )
    }
}
