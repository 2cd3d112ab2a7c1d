/// Where an event is.
extension DeliveryStore {
    /// Where an event is and why; reads the whole outbox in the worst case.
    func explain(_ id: EventID) -> EventExplanation? {
        if let lane = intake.laneOfBuffered(id) { return EventExplanation(lane: lane, fate: .buffered) }
        if let explanation = recentFates.fate(of: id) { return explanation }
        if let event = quarantined(lane: nil).first(where: { $0.id == id }) {
            return EventExplanation(lane: event.lane, fate: .quarantined(reason: event.reason))
        }
        return stored(id)
    }

    private func stored(_ id: EventID) -> EventExplanation? {
        for lane in lanes {
            var place: PackPlace?
            while let page = try? outbox.summaries(lane: lane.stored.number, after: place, limit: 64),
                let last = page.last
            {
                for summary in page {
                    guard let pack = try? outbox.pack(at: summary.place),
                        pack.read().contains(where: { $0.id == id })
                    else { continue }
                    return EventExplanation(lane: lane.stored.id, fate: lane.fate(ofPackAt: summary.place))
                }
                place = last.place
            }
            if lane.usage.heldEvents > 0, isHeld(id, lane: lane) {
                return EventExplanation(lane: lane.stored.id, fate: .awaitingConsent)
            }
        }
        return nil
    }

    private func isHeld(_ id: EventID, lane: LaneState) -> Bool {
        guard let held = try? outbox.heldPacks(lane: lane.stored.number) else { return false }
        return held.contains { pack in pack.read().contains { $0.id == id } }
    }

    /// How each lane is doing.
    func statistics() -> [LaneStatistics] {
        adoptLanes()
        let (now, books) = (moment, intake.books)
        return lanes.enumerated().map { index, lane in
            let ledger = books[index].ledger
            var pause: PauseReason?
            if case .paused(let reason) = lane.gateReason { pause = reason }
            return LaneStatistics(
                id: lane.stored.id,
                ledger: ledger,
                ledgerSinceOpening: ledger.since(lane.opening),
                carriedOver: lane.opening.pending,
                oldestPendingAge: lane.usage.oldest.map { age(of: $0, now: now) },
                lastSuccess: lane.stored.lastSuccess,
                pauseReason: pause
            )
        }
        .sorted { $0.id < $1.id }
    }

    private func age(of stored: StoredMoment, now: StoredMoment) -> Duration {
        if stored.boot == now.boot { return max(.zero, stored.monotonic.duration(to: now.monotonic)) }
        return .microseconds(
            max(0, now.wall.microseconds.subtractingReportingOverflow(stored.wall.microseconds).partialValue)
        )
    }
}
