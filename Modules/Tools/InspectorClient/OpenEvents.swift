import CoreTracker
import EventDelivery

/// The latest events without a final status, which are queried in turn.
struct OpenEvents: Sendable {
    /// An event without a final status.
    struct Event: Sendable {
        let id: EventID
        let lane: LaneID
    }

    private static let capacity = 20_000

    private var statuses: [EventID: EventStatus?] = [:]
    private var turn: [Event] = []
    private var start = 0

    /// Inserts an event.
    ///
    /// If the maximum number is exceeded, removes the oldest one.
    mutating func insert(_ id: EventID, on lane: LaneID) {
        guard statuses.updateValue(nil, forKey: id) == nil else { return }
        turn.append(Event(id: id, lane: lane))
        if statuses.count > OpenEvents.capacity, let oldest = next(1).first { statuses[oldest.id] = nil }
    }

    /// Returns the next events of the rotation.
    ///
    /// - Parameter count: The maximum number of events.
    /// - Returns: The events. They are returned again after all others.
    mutating func next(_ count: Int) -> [Event] {
        var events: [Event] = []
        var looks = turn.count - start
        while events.count < count, looks > 0 {
            looks -= 1
            let event = turn[start]
            start += 1
            guard statuses[event.id] != nil else { continue }
            events.append(event)
            turn.append(event)
        }
        if start > 1_024, start * 2 > turn.count {
            turn.removeFirst(start)
            start = 0
        }
        return events
    }

    /// Records the status of an event.
    ///
    /// Events with a final or unknown status are removed.
    ///
    /// - Returns: Whether the status has changed.
    mutating func record(_ status: EventStatus?, of id: EventID) -> Bool {
        guard let earlier = statuses[id] else { return false }
        switch status {
        case nil, .delivered, .dropped: statuses[id] = nil
        default: statuses[id] = status
        }
        return status != earlier
    }

    /// Removes events with a final status.
    mutating func remove(_ ids: [EventID]) {
        for id in ids { statuses[id] = nil }
    }
}
