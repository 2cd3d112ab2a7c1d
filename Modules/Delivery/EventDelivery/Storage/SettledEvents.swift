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
