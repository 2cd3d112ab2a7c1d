import CoreTrackerTesting
public import EventDelivery

/// A check that an engine's ledgers balance and agree with the stored events, for the end of delivery tests.
///
/// ```swift
/// try await LedgerCheck.check(engine)
/// ```
public enum LedgerCheck {
    /// Checks the ledger of each lane.
    ///
    /// The equation `accepted = delivered + pending + quarantined + Σ dropped` must hold, and no count may be negative.
    /// `pending` must be the number of events in memory and in the outbox.
    ///
    /// - Parameter engine: The engine to check.
    /// - Throws: `ContractViolation` with all violations.
    public static func check(_ engine: DeliveryEngine) async throws {
        var problems: [String] = []
        for (lane, found) in await engine.storedEvents().sorted(by: { $0.key < $1.key }) {
            let ledger = found.ledger
            let columns = [ledger.accepted, ledger.delivered, ledger.quarantined, ledger.pending]
            if columns.contains(where: { $0 < 0 }) { problems.append("\(lane): a count is negative: \(ledger)") }
            if ledger.pending != found.pending {
                problems.append("\(lane): \(ledger.pending) pending in the ledger, \(found.pending) stored")
            }
            if ledger.quarantined != found.quarantined {
                problems.append(
                    "\(lane): \(ledger.quarantined) quarantined in the ledger, \(found.quarantined) stored"
                )
            }
        }
        try expect(problems.isEmpty, problems.joined(separator: "\n"))
    }
}
