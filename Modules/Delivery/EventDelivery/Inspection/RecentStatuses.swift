import CoreTracker
import EventBuffer

/// The final status of recent events, for `explain` after an event has left the outbox.
struct RecentStatuses {
    private static let capacity = 4_096
    private var statuses: [EventID: (lane: LaneID, status: EventStatus, slot: Int)] = [:]
    /// The recorded ids, of which the one in the next slot is the oldest.
    ///
    /// An id may have several slots. Only its last one counts.
    private var order: [EventID] = []
    private var next = 0

    /// Records the final status of an event.
    ///
    /// If the capacity is reached, the oldest one is evicted.
    mutating func record(_ id: EventID, lane: LaneID, _ status: EventStatus) {
        let slot = next
        next = (next + 1) % RecentStatuses.capacity
        if order.count < RecentStatuses.capacity {
            order.append(id)
        } else {
            if statuses[order[slot]]?.slot == slot { statuses[order[slot]] = nil }
            order[slot] = id
        }
        statuses[id] = (lane, status, slot)
    }

    func status(of id: EventID) -> EventExplanation? {
        statuses[id].map { EventExplanation(lane: $0.lane, status: $0.status) }
    }

    /// Removes the status of events that are queued again.
    mutating func forget(_ ids: [EventID]) {
        for id in ids { statuses[id] = nil }
    }

    /// Removes the statuses of lanes, because a denial or an erasure covers their events.
    mutating func forget(_ lanes: Set<LaneID>) {
        statuses = statuses.filter { !lanes.contains($0.value.lane) }
    }
}
