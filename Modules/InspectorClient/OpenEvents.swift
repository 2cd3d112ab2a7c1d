import CoreTracker
import EventDelivery

/// The events whose end is not known, which are asked for in turn; the latest of them.
struct OpenEvents: Sendable {
    /// One of them.
    struct Event: Sendable {
        let id: EventID
        let lane: LaneID
    }

    private static let capacity = 20_000

    private var fates: [EventID: EventFate?] = [:]
    private var turn: [Event] = []
    private var start = 0

    /// Takes an event in.
    mutating func insert(_ id: EventID, on lane: LaneID) {
        guard fates.updateValue(nil, forKey: id) == nil else { return }
        turn.append(Event(id: id, lane: lane))
        if fates.count > OpenEvents.capacity, let oldest = next(1).first { fates[oldest.id] = nil }
    }

    /// The next events whose turn it is, at most so many; they come again after all others.
    mutating func next(_ count: Int) -> [Event] {
        var events: [Event] = []
        var looks = turn.count - start
        while events.count < count, looks > 0 {
            looks -= 1
            let event = turn[start]
            start += 1
            guard fates[event.id] != nil else { continue }
            events.append(event)
            turn.append(event)
        }
        if start > 1_024, start * 2 > turn.count {
            turn.removeFirst(start)
            start = 0
        }
        return events
    }

    /// Notes where an event is; returns whether that is news.
    ///
    /// What has come to its end, or is not known any more, is forgotten.
    mutating func note(_ fate: EventFate?, of id: EventID) -> Bool {
        guard let earlier = fates[id] else { return false }
        switch fate {
        case nil, .delivered, .dropped: fates[id] = nil
        default: fates[id] = fate
        }
        return fate != earlier
    }

    /// Forgets events that have come to their end.
    mutating func remove(_ ids: [EventID]) {
        for id in ids { fates[id] = nil }
    }
}
