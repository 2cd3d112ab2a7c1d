/// One of the events that an engine can explain.
package struct KnownEvent: Sendable, Hashable {
    /// The event's id.
    package let id: EventID
    /// Where it is, and why.
    package let explanation: EventExplanation
}

extension DeliveryEngine {
    /// A choice of the events that can be explained, lane by lane, at most so many of each kind.
    ///
    /// The oldest that are stored or wait for consent, the last that are quarantined, and the last that ended.
    package func knownEvents(limit: Int) async -> [KnownEvent] {
        await knownEventsWhileRunning(limit: max(0, limit)) ?? []
    }
}

extension DeliveryStore {
    func knownEvents(limit: Int) -> [KnownEvent] {
        adoptLanes()
        return lanes.sorted { $0.stored.id < $1.stored.id }.flatMap { lane in
            stored(lane, limit: limit) + held(lane, limit: limit) + quarantined(lane, limit: limit)
                + recentFates.last(limit, lane: lane.stored.id)
        }
    }

    private func stored(_ lane: LaneState, limit: Int) -> [KnownEvent] {
        let summaries = (try? outbox.summaries(lane: lane.stored.number, after: nil, limit: limit)) ?? []
        var events: [KnownEvent] = []
        for summary in summaries where events.count < limit {
            let explanation = EventExplanation(lane: lane.stored.id, fate: lane.fate(ofPackAt: summary.place))
            let records = (try? outbox.pack(at: summary.place))?.read() ?? []
            events += records.map { KnownEvent(id: $0.id, explanation: explanation) }
        }
        return Array(events.prefix(limit))
    }

    private func held(_ lane: LaneState, limit: Int) -> [KnownEvent] {
        guard lane.usage.heldEvents > 0 else { return [] }
        let packs = (try? outbox.heldPacks(lane: lane.stored.number)) ?? []
        let explanation = EventExplanation(lane: lane.stored.id, fate: .awaitingConsent)
        return packs.flatMap { $0.read() }.prefix(limit).map { KnownEvent(id: $0.id, explanation: explanation) }
    }

    private func quarantined(_ lane: LaneState, limit: Int) -> [KnownEvent] {
        quarantined(lane: lane.stored.id).suffix(limit).map { event in
            let fate = EventFate.quarantined(reason: event.reason)
            return KnownEvent(id: event.id, explanation: EventExplanation(lane: event.lane, fate: fate))
        }
    }
}

extension LaneState {
    /// Where the events of a stored pack are: waiting, or in a batch that has been sent.
    func fate(ofPackAt place: PackPlace) -> EventFate {
        guard let batch = batches.first(where: { $0.packs.contains(place) }) else { return .queued }
        return .sending(attempts: batch.attempts + (leased == batch.id ? 1 : 0))
    }
}
