package import CoreTracker

/// What really lies in memory and in the outbox for a lane, counted from the rows, beside what the ledger say.
package struct StoredEvents: Sendable, Hashable {
    /// Buffered, deliverable and held events.
    package let pending: Int
    /// Quarantined events.
    package let quarantined: Int
    /// The lane's ledger at the same moment.
    package let ledger: LaneLedger
}

extension DeliveryEngine {
    /// Counts what is really there, lane by lane; reads every row, so it is for checks alone.
    package func storedEvents() async -> [LaneID: StoredEvents] {
        await storedEventsWhileRunning()
            ?? intake.ledgers.reduce(into: [:]) { result, lane in
                result[lane.id] = StoredEvents(pending: lane.unstored, quarantined: 0, ledger: lane.ledger)
            }
    }
}
