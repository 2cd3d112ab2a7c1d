import CoreTracker
import EventBuffer

/// A search for events in the outbox and among recently completed events.
///
/// It only reads.
struct EventFinder {
    let lanes: [LaneQueue]
    let outbox: any Outbox
    let fates: RecentFates

    /// Returns the status of an event, or `nil` if the event is unknown.
    ///
    /// In the worst case this reads the whole outbox.
    func explain(_ id: EventID) -> EventExplanation? {
        if let explanation = fates.fate(of: id) { return explanation }
        let quarantined = try? outbox.quarantined(lane: nil, limit: .max)
        if let event = quarantined?.first(where: { $0.id == id }) {
            return EventExplanation(lane: event.lane, fate: .quarantined(reason: event.reason))
        }
        for lane in lanes {
            if let summary = pack(of: id, lane: lane) {
                return EventExplanation(lane: lane.id, fate: lane.fate(ofPackAt: summary.place))
            }
            let isHeld = held(lane).contains { $0.read().contains { $0.id == id } }
            if isHeld { return EventExplanation(lane: lane.id, fate: .awaitingConsent) }
        }
        return nil
    }

    /// Returns the numbers of a lane's stored events, counted from the rows.
    func count(_ lane: LaneQueue) -> (pending: Int, quarantined: Int) {
        var pending = held(lane).reduce(0) { $0 + $1.read().count }
        try? outbox.forEachSummary(lane: lane.stored.number) { summary in
            pending += (try? outbox.pack(at: summary.place))?.read().count ?? 0
            return true
        }
        return (pending, (try? outbox.quarantined(lane: lane.id, limit: .max))?.count ?? 0)
    }

    private func pack(of id: EventID, lane: LaneQueue) -> PackSummary? {
        var found: PackSummary?
        try? outbox.forEachSummary(lane: lane.stored.number) { summary in
            let records = (try? outbox.pack(at: summary.place))?.read() ?? []
            if records.contains(where: { $0.id == id }) { found = summary }
            return found == nil
        }
        return found
    }

    private func held(_ lane: LaneQueue) -> [Pack] {
        lane.usage.heldEvents == 0 ? [] : (try? outbox.heldPacks(lane: lane.stored.number)) ?? []
    }
}

extension LaneQueue {
    /// Returns the status of the events in a stored segment: queued, or part of a batch that was sent.
    fileprivate func fate(ofPackAt place: PackPlace) -> EventFate {
        guard let batch = batches.first(where: { $0.packs.contains(place) }) else { return .queued }
        return .sending(attempts: batch.attempts + (leases[batch.id] == nil ? 0 : 1))
    }
}

/// The final status of recent events, for `explain` after an event has left the outbox.
struct RecentFates {
    private static let capacity = 4_096
    private var fates: [EventID: (lane: LaneID, fate: EventFate)] = [:]
    private var order: [EventID] = []
    private var next = 0

    /// Records the final status of an event.
    ///
    /// If the capacity is reached, the oldest one is evicted.
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

    /// Removes the status of events that are queued again.
    mutating func forget(_ ids: [EventID]) {
        for id in ids { fates[id] = nil }
    }

    mutating func forget(_ lanes: Set<LaneID>) {
        fates = fates.filter { !lanes.contains($0.value.lane) }
    }
}
