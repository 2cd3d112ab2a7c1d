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
        for (lane, found) in await engine.storedEvents().sorted(by: { $0.key < $1.key }) {
            let ledger = found.ledger
            let columns = [ledger.accepted, ledger.delivered, ledger.quarantined, ledger.pending]
            if columns.contains(where: { $0 < 0 }) { problems.append("\(lane): a column is negative: \(ledger)") }
            if ledger.pending != found.pending {
                problems.append("\(lane): \(ledger.pending) pending in the books, \(found.pending) stored")
            }
            if ledger.quarantined != found.quarantined {
                problems.append(
                    "\(lane): \(ledger.quarantined) quarantined in the books, \(found.quarantined) stored"
                )
            }
        }
        if !problems.isEmpty { throw Imbalance(description: problems.joined(separator: "\n")) }
    }
}
