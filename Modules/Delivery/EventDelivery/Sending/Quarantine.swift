import CoreTracker
import EventOutbox
import EventTracking

/// The quarantined events, refused by receivers.
///
/// They are few, so memory holds them all. The limits on their number and size cover all lanes together.
struct Quarantine {
    /// A change of some of the events.
    typealias Change = (inout Quarantine, Set<EventID>, inout LaneTable, inout LaneChange) -> Void

    let budget: DeliveryBudget
    /// The events, oldest first.
    var events: [QuarantinedEvent] = []

    /// Adds the events of a change, if it has any, and drops others until they are within the limits.
    mutating func add(lanes: inout LaneTable, expiry: Expiry, now: StoredMoment, change: inout LaneChange) {
        let added = change.outbox.savedQuarantined
        guard !added.isEmpty else { return }
        let ids = Set(added.map(\.id))
        events.removeAll { ids.contains($0.id) }
        events += added
        cap(lanes: &lanes, expiry: expiry, now: now, change: &change)
    }

    /// Drops expired events, then the oldest event of the lane with the most events until the rest is within the
    /// limits.
    mutating func cap(lanes: inout LaneTable, expiry: Expiry, now: StoredMoment, change: inout LaneChange) {
        drop(events.filter { expiry.isExpired($0.time, at: now.monotonic) }, .expired, lanes: &lanes, change: &change)
        var (count, bytes) = (events.count, events.reduce(0) { $0 + $1.fragment.count })
        guard count > budget.quarantinedEvents || bytes > budget.quarantinedBytes else { return }
        var kept = Dictionary(grouping: events, by: \.lane).sorted(by: \.key).map { $0.value[...] }
        var dropped: Set<EventID> = []
        while count > budget.quarantinedEvents || bytes > budget.quarantinedBytes {
            let fullest = kept.indices.max { kept[$0].count < kept[$1].count }
            guard let fullest, let oldest = kept[fullest].popFirst() else { break }
            dropped.insert(oldest.id)
            count -= 1
            bytes -= oldest.fragment.count
        }
        drop(events.filter { dropped.contains($0.id) }, .quarantineFull, lanes: &lanes, change: &change)
    }

    /// Moves events back to the end of their lanes.
    mutating func retry(_ ids: Set<EventID>, at now: StoredMoment, lanes: inout LaneTable, change: inout LaneChange) {
        for event in events where ids.contains(event.id) {
            let index = lanes.index(of: event.lane)
            change.outbox.remove(event, lane: lanes[index].stored.number)
            let segment = lanes[index].stored.takeBack(event, at: now)
            lanes[index].account(segment.summary, sign: 1)
            change.outbox.save(segment)
            change.outbox.save(lanes[index].stored)
        }
        events.removeAll { ids.contains($0.id) }
    }

    /// Drops events, and counts them.
    mutating func discard(_ ids: Set<EventID>, lanes: inout LaneTable, change: inout LaneChange) {
        drop(events.filter { ids.contains($0.id) }, .discarded, lanes: &lanes, change: &change)
    }

    private mutating func drop(
        _ dropped: [QuarantinedEvent],
        _ reason: DropReason,
        lanes: inout LaneTable,
        change: inout LaneChange
    ) {
        guard !dropped.isEmpty else { return }
        let ids = Set(dropped.map(\.id))
        for event in dropped { lanes[lanes.index(of: event.lane)].stored.giveUpQuarantined(reason) }
        for (lane, events) in Dictionary(grouping: dropped, by: \.lane).sorted(by: \.key) {
            change.outbox.save(lanes[lanes.index(of: lane)].stored)
            change.lose(events.count, reason, on: lane, ids: events.map(\.id))
        }
        for event in dropped { change.outbox.remove(event, lane: lanes[lanes.index(of: event.lane)].stored.number) }
        events.removeAll { ids.contains($0.id) }
    }
}
