import CoreTracker

/// The ends of the last events, so that `explain` can answer for a while after an event has left the outbox.
struct RecentFates {
    private static let capacity = 4_096
    private var fates: [EventID: (lane: LaneID, fate: EventFate)] = [:]
    private var order: [EventID] = []
    private var next = 0

    /// Notes the end of an event; the oldest note gives way.
    mutating func note(_ id: EventID, lane: LaneID, _ fate: EventFate) {
        if fates.updateValue((lane, fate), forKey: id) != nil { return }
        if order.count < RecentFates.capacity {
            order.append(id)
        } else {
            fates[order[next]] = nil
            order[next] = id
            next = (next + 1) % RecentFates.capacity
        }
    }

    func fate(of id: EventID) -> EventExplanation? {
        fates[id].map { EventExplanation(lane: $0.lane, fate: $0.fate) }
    }

    /// The last events of a lane that ended, newest first; quarantine is no end.
    func last(_ limit: Int, lane: LaneID) -> [KnownEvent] {
        var events: [KnownEvent] = []
        // An event that was put back from quarantine has a place for each of its ends.
        for id in order[..<next].reversed() + order[next...].reversed() where events.count < limit {
            guard let known = fates[id], known.lane == lane, !events.contains(where: { $0.id == id }) else { continue }
            if case .quarantined = known.fate { continue }
            events.append(KnownEvent(id: id, explanation: EventExplanation(lane: known.lane, fate: known.fate)))
        }
        return events
    }

    /// Forgets the ends of events that are on their way again.
    mutating func forget(_ ids: [EventID]) {
        for id in ids { fates[id] = nil }
    }

    mutating func forget(_ lanes: Set<LaneID>) {
        fates = fates.filter { !lanes.contains($0.value.lane) }
    }
}
