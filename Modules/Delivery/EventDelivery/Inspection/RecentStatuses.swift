import CoreTracker
import EventBuffer

/// The final status of recent events, for `explain` after an event has left the outbox.
struct RecentStatuses {
    private static let capacity = 4_096
    private var statuses: [EventID: (lane: LaneID, status: EventStatus)] = [:]
    private var order: [EventID] = []
    private var next = 0

    /// Records the final status of an event.
    ///
    /// If the capacity is reached, the oldest one is evicted.
    mutating func record(_ id: EventID, lane: LaneID, _ status: EventStatus) {
        if statuses.updateValue((lane, status), forKey: id) != nil { return }
        if order.count < RecentStatuses.capacity {
            order.append(id)
        } else {
            statuses[order[next]] = nil
            order[next] = id
            next = (next + 1) % RecentStatuses.capacity
        }
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
