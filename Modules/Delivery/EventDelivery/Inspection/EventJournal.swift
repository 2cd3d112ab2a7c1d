import CoreTracker
import EventTracking

/// The events of one lane settled together: delivered, quarantined or dropped.
struct SettledEvents: Sendable {
    let lane: LaneID
    let status: EventStatus
    /// The ids of the events, as far as they are known.
    ///
    /// A denial, an erasure and damage end stored events without reading them.
    private(set) var ids: [EventID]
    /// The number of the events.
    private(set) var count: Int

    init(_ status: EventStatus, lane: LaneID, _ ids: [EventID], count: Int? = nil) {
        (self.lane, self.status, self.ids) = (lane, status, ids)
        self.count = count ?? ids.count
    }

    /// Adds an event.
    mutating func append(_ id: EventID) {
        ids.append(id)
        count += 1
    }

    /// Removes the events with the given ids.
    mutating func remove(_ gone: Set<EventID>) {
        ids.removeAll(where: gone.contains)
        count = ids.count
    }

    /// The reason if the events were dropped, otherwise `nil`.
    var dropReason: DropReason? { if case .dropped(let reason) = status { reason } else { nil } }

    /// The outcomes of the events: one for each id, and one for all events without an id.
    var outcomes: [(kind: EventOutcome.Kind, lane: LaneID, id: EventID?, count: Int)] {
        let kind: EventOutcome.Kind
        switch status {
        case .delivered: kind = .delivered
        case .quarantined: kind = .quarantined
        case .dropped(let reason): kind = .dropped(reason)
        case .buffered, .queued, .sending, .onHold, .awaitingConsent: return []
        }
        let (lane, unread) = (lane, count - ids.count)
        return ids.map { (kind: kind, lane: lane, id: $0, count: 1) }
            + (unread > 0 ? [(kind: kind, lane: lane, id: nil, count: unread)] : [])
    }
}

/// A journal of the latest settled events, for `explain` after an event has left the outbox.
struct EventJournal {
    /// The minimum number of known events.
    static let capacity = 4_096

    /// The settled events, oldest first.
    private var entries: [SettledEvents] = []
    /// The number of ids in all entries.
    private var count = 0

    /// Records settled events.
    ///
    /// Older entries are removed if there are too many events.
    mutating func record(_ events: SettledEvents) {
        guard !events.ids.isEmpty else { return }
        entries.append(events)
        count += events.ids.count
        // Remove several entries at once, not one for each new entry.
        guard count > 2 * EventJournal.capacity else { return }
        var surplus = 0
        while count - entries[surplus].ids.count >= EventJournal.capacity {
            count -= entries[surplus].ids.count
            surplus += 1
        }
        entries.removeFirst(surplus)
    }

    /// Returns the last status of an event, or `nil` if the event is not known.
    func explanation(of id: EventID) -> EventExplanation? {
        entries.last { $0.ids.contains(id) }.map { EventExplanation(lane: $0.lane, status: $0.status) }
    }

    /// Removes events that are queued again.
    mutating func forget(_ ids: [EventID]) {
        let gone = Set(ids)
        for index in entries.indices { entries[index].remove(gone) }
        removeEntries { $0.ids.isEmpty }
    }

    /// Removes the events of a lane, because a denial or an erasure covers them.
    mutating func forget(_ lane: LaneID) { removeEntries { $0.lane == lane } }

    private mutating func removeEntries(where isGone: (SettledEvents) -> Bool) {
        entries.removeAll(where: isGone)
        count = entries.reduce(0) { $0 + $1.ids.count }
    }
}
