public import EventDelivery

/// What a delivery test ends with: the books balance, and they agree with what is really stored.
///
/// Throws with every lane that is wrong, so that it works in Swift Testing and XCTest alike.
public enum LedgerCheck {
    /// A lane whose books do not balance.
    public struct Imbalance: Error, CustomStringConvertible {
        public let description: String
    }

    /// Checks each lane of an engine: `accepted = delivered + pending + quarantined + Σ dropped`, no column below zero,
    /// and `pending` is the number of events that really lie in memory and in the outbox.
    public static func check(_ engine: DeliveryEngine) async throws {
        var problems: [String] = []
        let stored = await engine.storedEvents()
        for lane in await engine.statistics() {
            let ledger = lane.ledger
            let columns = [ledger.accepted, ledger.delivered, ledger.quarantined, ledger.pending]
            if columns.contains(where: { $0 < 0 }) { problems.append("\(lane.id): a column is negative: \(ledger)") }
            let found = stored[lane.id] ?? StoredEvents(pending: 0, quarantined: 0)
            if ledger.pending != found.pending {
                problems.append("\(lane.id): \(ledger.pending) pending in the books, \(found.pending) stored")
            }
            if ledger.quarantined != found.quarantined {
                problems.append(
                    "\(lane.id): \(ledger.quarantined) quarantined in the books, \(found.quarantined) stored"
                )
            }
        }
        if !problems.isEmpty { throw Imbalance(description: problems.joined(separator: "\n")) }
    }
}
