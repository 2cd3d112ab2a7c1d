import CoreTracker
import EventBuffer

/// A search for events in the outbox and among recently completed events.
///
/// It only reads.
struct EventFinder {
    let lanes: [LaneQueue]
    let outbox: any Outbox
    let statuses: RecentStatuses

    /// Returns the status of an event, or `nil` if the event is unknown.
    ///
    /// In the worst case this reads the whole outbox.
    func explain(_ id: EventID) -> EventExplanation? {
        if let explanation = statuses.status(of: id) { return explanation }
        let quarantined = try? outbox.quarantined(lane: nil, limit: .max)
        if let event = quarantined?.first(where: { $0.id == id }) {
            return EventExplanation(lane: event.lane, status: .quarantined(reason: event.reason))
        }
        for lane in lanes {
            if let summary = segment(of: id, lane: lane) {
                return EventExplanation(lane: lane.id, status: lane.status(ofSegmentAt: summary.place))
            }
            let isHeld = held(lane).contains { $0.read().contains { $0.id == id } }
            if isHeld { return EventExplanation(lane: lane.id, status: .awaitingConsent) }
        }
        return nil
    }

    /// Returns the numbers of a lane's stored events, counted from the rows.
    func count(_ lane: LaneQueue) -> (pending: Int, quarantined: Int) {
        var pending = held(lane).reduce(0) { $0 + $1.read().count }
        try? outbox.forEachSummary(lane: lane.stored.number) { summary in
            pending += (try? outbox.segment(at: summary.place))?.read().count ?? 0
            return true
        }
        return (pending, (try? outbox.quarantined(lane: lane.id, limit: .max))?.count ?? 0)
    }

    private func segment(of id: EventID, lane: LaneQueue) -> SegmentSummary? {
        var found: SegmentSummary?
        try? outbox.forEachSummary(lane: lane.stored.number) { summary in
            let records = (try? outbox.segment(at: summary.place))?.read() ?? []
            if records.contains(where: { $0.id == id }) { found = summary }
            return found == nil
        }
        return found
    }

    private func held(_ lane: LaneQueue) -> [Segment] {
        lane.usage.heldEvents == 0 ? [] : (try? outbox.heldSegments(lane: lane.stored.number)) ?? []
    }
}

extension LaneQueue {
    /// Returns the status of the events in a stored segment: queued, or part of a batch that was sent.
    fileprivate func status(ofSegmentAt place: SegmentPlace) -> EventStatus {
        guard let batch = batches.first(where: { $0.segments.contains(place) }) else { return .queued }
        return .sending(attempts: batch.attempts + (leases[batch.id] == nil ? 0 : 1))
    }
}

/// The final status of recent events, for `explain` after an event has left the outbox.
struct RecentStatuses {
    private static let capacity = 4_096
    private var statuses: [EventID: (lane: LaneID, status: EventStatus)] = [:]
    private var order: [EventID] = []
    private var next = 0

    /// Records the final status of an event.
    ///
    /// If the capacity is reached, the oldest one is evicted.
    mutating func note(_ id: EventID, lane: LaneID, _ status: EventStatus) {
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

    mutating func forget(_ lanes: Set<LaneID>) {
        statuses = statuses.filter { !lanes.contains($0.value.lane) }
    }
}
