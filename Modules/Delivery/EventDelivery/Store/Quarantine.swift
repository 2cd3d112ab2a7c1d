import CoreTracker
import EventBuffer

/// The operations on quarantined events, which are the events that receivers refused.
///
/// The limits on their number and size cover all lanes together.
struct Quarantine {
    let outbox: any Outbox
    let budget: DeliveryBudget
    let expiry: Expiry
    let now: StoredMoment

    /// Drops expired events.
    ///
    /// Then drops the oldest event of the lane with the most events until the rest is within the limits.
    func cap(lanes: inout LaneTable, change: inout LaneChange) {
        var kept = events.filter { !change.outbox.removedQuarantined.contains($0.id) }
        kept += change.outbox.insertedQuarantined
        for event in kept where expiry.isExpired(event.time, at: now.monotonic) {
            giveUp(event, .expired, lanes: &lanes, change: &change)
        }
        kept.removeAll { change.outbox.removedQuarantined.contains($0.id) }
        var bytes = kept.reduce(0) { $0 + $1.fragment.count }
        while kept.count > budget.quarantinedEvents || bytes > budget.quarantinedBytes {
            let counts = Dictionary(grouping: kept, by: \.lane).mapValues(\.count)
            let fullest = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
            guard let position = kept.firstIndex(where: { $0.lane == fullest }) else { return }
            let oldest = kept.remove(at: position)
            bytes -= oldest.fragment.count
            change.outbox.insertedQuarantined.removeAll { $0.id == oldest.id }
            giveUp(oldest, .quarantineFull, lanes: &lanes, change: &change)
        }
    }

    /// Moves events back to the end of their lanes.
    func retry(_ ids: Set<EventID>, lanes: inout LaneTable, change: inout LaneChange) {
        for event in events where ids.contains(event.id) {
            let index = lanes.index(of: event.lane)
            change.outbox.removedQuarantined.append(event.id)
            let segment = lanes[index].stored.takeBack(event, at: now)
            lanes[index].account(segment.summary, sign: 1)
            change.outbox.inserted.append(segment)
            change.outbox.note(lanes[index].stored)
        }
    }

    /// Drops events, and counts them.
    func discard(_ ids: Set<EventID>, lanes: inout LaneTable, change: inout LaneChange) {
        for event in events where ids.contains(event.id) {
            giveUp(event, .discarded, lanes: &lanes, change: &change)
        }
    }

    private var events: [QuarantinedEvent] {
        (try? outbox.quarantined(lane: nil, limit: .max)) ?? []
    }

    private func giveUp(
        _ event: QuarantinedEvent,
        _ reason: DropReason,
        lanes: inout LaneTable,
        change: inout LaneChange
    ) {
        let index = lanes.index(of: event.lane)
        change.outbox.removedQuarantined.append(event.id)
        lanes[index].stored.giveUpQuarantined(reason)
        change.outbox.note(lanes[index].stored)
        change.statuses.append((event.id, event.lane, .dropped(reason)))
        change.diagnostics.append(.dropped(lane: event.lane, reason: reason, count: 1))
    }
}
