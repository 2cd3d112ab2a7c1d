package import CoreTracker

/// What really lies in memory and in the outbox for a lane, counted from the rows, beside what the books say.
package struct StoredEvents: Sendable, Hashable {
    /// Buffered, deliverable and held events.
    package let pending: Int
    /// Quarantined events.
    package let quarantined: Int
    /// The lane's books at the same moment.
    package let ledger: LaneLedger
}

extension DeliveryEngine {
    /// Counts what is really there, lane by lane; reads every row, so it is for checks alone.
    package func storedEvents() async -> [LaneID: StoredEvents] {
        await storedEventsWhileRunning()
            ?? intake.books.reduce(into: [:]) { result, lane in
                result[lane.id] = StoredEvents(pending: lane.unstored, quarantined: 0, ledger: lane.ledger)
            }
    }
}

extension DeliveryStore {
    func storedEvents() -> [LaneID: StoredEvents] {
        adoptLanes()
        let quarantined = (try? outbox.quarantined(lane: nil, limit: .max)) ?? []
        let books = intake.books
        var result: [LaneID: StoredEvents] = [:]
        for (index, lane) in lanes.enumerated() {
            var pending = books[index].unstored
            var place: PackPlace?
            while let page = try? outbox.summaries(lane: lane.stored.number, after: place, limit: 256),
                let last = page.last
            {
                for summary in page {
                    pending += (try? outbox.pack(at: summary.place))?.read().count ?? 0
                }
                place = last.place
            }
            pending += ((try? outbox.heldPacks(lane: lane.stored.number)) ?? []).reduce(0) { $0 + $1.read().count }
            let refused = quarantined.count { $0.lane == lane.stored.id }
            result[lane.stored.id] = StoredEvents(
                pending: pending,
                quarantined: refused,
                ledger: books[index].ledger
            )
        }
        return result
    }
}
