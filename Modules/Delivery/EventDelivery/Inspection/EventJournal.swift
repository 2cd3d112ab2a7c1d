import CoreTracker
import EventTracking

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
