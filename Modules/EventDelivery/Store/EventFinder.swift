import CoreTracker

/// Finds events in the outbox and among those that have left it; reads only.
struct EventFinder {
    let lanes: [LaneQueue]
    let outbox: any Outbox
    let fates: RecentFates

    /// Where an event is and why; reads the whole outbox in the worst case.
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

    /// A choice of the events that can be explained, lane by lane, at most so many of each kind.
    func knownEvents(limit: Int) -> [KnownEvent] {
        lanes.sorted { $0.id < $1.id }.flatMap { lane in
            stored(lane, limit: limit) + held(lane, limit: limit) + quarantined(lane, limit: limit)
                + fates.last(limit, lane: lane.id)
        }
    }

    /// The events that really lie in the outbox for a lane, counted from the rows.
    func count(_ lane: LaneQueue) -> (pending: Int, quarantined: Int) {
        var pending = held(lane).reduce(0) { $0 + $1.read().count }
        forEachSummary(lane) { summary in
            pending += (try? outbox.pack(at: summary.place))?.read().count ?? 0
            return true
        }
        return (pending, (try? outbox.quarantined(lane: lane.id, limit: .max))?.count ?? 0)
    }

    private func pack(of id: EventID, lane: LaneQueue) -> PackSummary? {
        var found: PackSummary?
        forEachSummary(lane) { summary in
            let records = (try? outbox.pack(at: summary.place))?.read() ?? []
            if records.contains(where: { $0.id == id }) { found = summary }
            return found == nil
        }
        return found
    }

    private func forEachSummary(_ lane: LaneQueue, _ body: (PackSummary) -> Bool) {
        var place: PackPlace?
        while let page = try? outbox.summaries(lane: lane.stored.number, after: place, limit: 64),
            let last = page.last
        {
            for summary in page where !body(summary) { return }
            place = last.place
        }
    }

    private func held(_ lane: LaneQueue) -> [Pack] {
        lane.usage.heldEvents == 0 ? [] : (try? outbox.heldPacks(lane: lane.stored.number)) ?? []
    }

    private func stored(_ lane: LaneQueue, limit: Int) -> [KnownEvent] {
        let summaries = (try? outbox.summaries(lane: lane.stored.number, after: nil, limit: limit)) ?? []
        var events: [KnownEvent] = []
        for summary in summaries where events.count < limit {
            let explanation = EventExplanation(lane: lane.id, fate: lane.fate(ofPackAt: summary.place))
            let records = (try? outbox.pack(at: summary.place))?.read() ?? []
            events += records.map { KnownEvent(id: $0.id, explanation: explanation) }
        }
        return Array(events.prefix(limit))
    }

    private func held(_ lane: LaneQueue, limit: Int) -> [KnownEvent] {
        let explanation = EventExplanation(lane: lane.id, fate: .awaitingConsent)
        return held(lane).flatMap { $0.read() }.prefix(limit).map { KnownEvent(id: $0.id, explanation: explanation) }
    }

    private func quarantined(_ lane: LaneQueue, limit: Int) -> [KnownEvent] {
        ((try? outbox.quarantined(lane: lane.id, limit: .max)) ?? []).suffix(limit).map { event in
            let fate = EventFate.quarantined(reason: event.reason)
            return KnownEvent(id: event.id, explanation: EventExplanation(lane: event.lane, fate: fate))
        }
    }
}

extension LaneQueue {
    /// Where the events of a stored pack are: waiting, or in a batch that has been sent.
    fileprivate func fate(ofPackAt place: PackPlace) -> EventFate {
        guard let batch = batches.first(where: { $0.packs.contains(place) }) else { return .queued }
        return .sending(attempts: batch.attempts + (leases[batch.id] == nil ? 0 : 1))
    }
}
