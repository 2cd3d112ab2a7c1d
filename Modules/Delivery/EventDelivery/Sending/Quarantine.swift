import CoreTracker
import EventBuffer
import EventOutbox

/// The quarantined events, which are the events that receivers refused.
///
/// They are few, so memory holds them all. The limits on their number and size cover all lanes together.
struct Quarantine {
    private let budget: DeliveryBudget
    /// The events, oldest first.
    var events: [QuarantinedEvent] = []

    init(budget: DeliveryBudget) {
        self.budget = budget
    }

    /// Adds the events of a change, and drops others until they are within the limits.
    mutating func add(lanes: inout LaneTable, expiry: Expiry, now: StoredMoment, change: inout LaneChange) {
        let added = change.outbox.insertedQuarantined
        events.removeAll { event in added.contains { $0.id == event.id } }
        events += added
        cap(lanes: &lanes, expiry: expiry, now: now, change: &change)
    }

    /// Drops expired events, then the oldest event of the lane with the most events until the rest is within the
    /// limits.
    mutating func cap(lanes: inout LaneTable, expiry: Expiry, now: StoredMoment, change: inout LaneChange) {
        drop(.expired, lanes: &lanes, change: &change) { expiry.isExpired($0.time, at: now.monotonic) }
        var bytes = events.reduce(0) { $0 + $1.fragment.count }
        while events.count > budget.quarantinedEvents || bytes > budget.quarantinedBytes {
            let counts = Dictionary(grouping: events, by: \.lane).mapValues(\.count)
            let fullest = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
            guard let oldest = events.first(where: { $0.lane == fullest }) else { return }
            bytes -= oldest.fragment.count
            drop(.quarantineFull, lanes: &lanes, change: &change) { $0.id == oldest.id }
        }
    }

    /// Moves events back to the end of their lanes.
    mutating func retry(_ ids: Set<EventID>, at now: StoredMoment, lanes: inout LaneTable, change: inout LaneChange) {
        for event in events where ids.contains(event.id) {
            let index = lanes.index(of: event.lane)
            let segment = lanes[index].stored.takeBack(event, at: now)
            lanes[index].account(segment.summary, sign: 1)
            change.outbox.removedQuarantined.append(event.id)
            change.outbox.inserted.append(segment)
            change.outbox.save(lanes[index].stored)
        }
        events.removeAll { ids.contains($0.id) }
    }

    /// Drops events, and counts them.
    mutating func discard(_ ids: Set<EventID>, lanes: inout LaneTable, change: inout LaneChange) {
        drop(.discarded, lanes: &lanes, change: &change) { ids.contains($0.id) }
    }

    private mutating func drop(
        _ reason: DropReason,
        lanes: inout LaneTable,
        change: inout LaneChange,
        where isDropped: (QuarantinedEvent) -> Bool
    ) {
        for event in events where isDropped(event) {
            let index = lanes.index(of: event.lane)
            lanes[index].stored.giveUpQuarantined(reason)
            change.outbox.insertedQuarantined.removeAll { $0.id == event.id }
            change.outbox.removedQuarantined.append(event.id)
            change.outbox.save(lanes[index].stored)
            change.statuses.append((event.id, event.lane, .dropped(reason)))
            change.diagnostics.append(.dropped(lane: event.lane, reason: reason, count: 1))
        }
        events.removeAll(where: isDropped)
    }
}
