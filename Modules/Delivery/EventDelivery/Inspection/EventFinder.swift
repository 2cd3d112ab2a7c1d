import EventOutbox
import EventTracking

/// A search for events in the outbox, the quarantine and among recently completed events.
///
/// It only reads.
struct EventFinder {
    let lanes: [LaneQueue]
    let outbox: Outbox
    let row: StateRow
    let quarantined: [QuarantinedEvent]
    let journal: EventJournal

    /// The number of segments read in one step of a search.
    private static let stepSegments = 256

    /// Returns the status of an event if it is known without reading segments.
    func knownStatus(of id: EventID) -> EventExplanation? {
        if let explanation = journal.explanation(of: id) { return explanation }
        return quarantined.first { $0.id == id }.map {
            EventExplanation(lane: $0.lane, status: .quarantined(reason: $0.reason))
        }
    }

    /// Searches some segments for an event.
    ///
    /// - Parameters:
    ///   - id: The event's id.
    ///   - place: The last segment of the step before, or `nil` for the first step.
    /// - Returns: The event's status if it was found, and the last segment, or `nil` if there are no more.
    func search(_ id: EventID, after place: SegmentPlace?) -> (found: EventExplanation?, last: SegmentPlace?) {
        let page = (try? outbox.summaries(lane: nil, after: place, limit: EventFinder.stepSegments)) ?? []
        for summary in page {
            guard let lane = lanes.first(where: { $0.stored.number == summary.place.lane }),
                summary.place.number >= lane.stored.start, !row.isErased(summary.user, summary.decision),
                let segment = try? outbox.segment(at: summary.place), segment.read().contains(where: { $0.id == id })
            else { continue }
            return (EventExplanation(lane: lane.id, status: lane.status(ofSegmentAt: summary.place)), nil)
        }
        return (nil, page.last?.place)
    }

    /// Returns the number of a lane's stored events, counted from the rows.
    ///
    /// The events of an erased user count until the cleaner has removed them.
    func count(_ lane: LaneQueue) -> Int {
        var count = 0
        try? outbox.forEachSummary(of: lane.stored) { summary in
            count += (try? outbox.segment(at: summary.place))?.read().count ?? 0
            return true
        }
        return count
    }
}

extension LaneQueue {
    /// Returns the status of the events in a stored segment.
    fileprivate func status(ofSegmentAt place: SegmentPlace) -> EventStatus {
        guard currentConsent == .granted else { return .awaitingConsent }
        let holds = holds.reasons
        let waiting: EventStatus = holds.isEmpty ? .queued : .onHold(holds)
        guard let batch = batches.first(where: { $0.segments.contains(place) }) else { return waiting }
        let isLeased = leases[batch.id] != nil
        // The batch of a held lane waits like the lane's other events.
        guard isLeased || holds.isEmpty else { return waiting }
        return .sending(attempts: batch.attempts + (isLeased ? 1 : 0))
    }
}
