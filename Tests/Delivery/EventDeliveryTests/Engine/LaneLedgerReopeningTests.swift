import EventDeliveryTesting
import Testing

@testable import EventDelivery

/// Tests of a process's counts after its file was released and opened again.
@Suite struct LaneLedgerReopeningTests {
    /// A ledger before the release and in the file, and the expected counts of the process.
    struct Case: Sendable {
        let known: LaneLedger
        var opening = LaneLedger()
        var file: LaneLedger
        var lost = 0
        let counted: LaneLedger
        /// The number of events with which the counts begin.
        var pendingAtOpen = 0
        /// The events added to the file's ledger.
        var added = LaneLedger()
    }

    @Test(arguments: [
        // Nothing has happened.
        Case(
            known: ledger(accepted: 5, delivered: 2),
            opening: ledger(accepted: 1, delivered: 1),
            file: ledger(accepted: 5, delivered: 2),
            counted: ledger(accepted: 4, delivered: 1)
        ),
        // A denial that was reported as failed is in the file.
        Case(
            known: ledger(accepted: 1),
            file: ledger(accepted: 1, denied: 1),
            counted: ledger(accepted: 1, denied: 1)
        ),
        // It hides one of the events that were refused in memory after it.
        Case(
            known: ledger(accepted: 11, denied: 10),
            file: ledger(accepted: 1, denied: 1),
            counted: ledger(accepted: 11, denied: 11),
            added: ledger(accepted: 10, denied: 10)
        ),
        // An acknowledgement that was reported as failed is in the file.
        Case(
            known: ledger(accepted: 3, delivered: 2),
            file: ledger(accepted: 3, delivered: 2),
            counted: ledger(accepted: 3, delivered: 2)
        ),
        // An acknowledgement was only in memory, so the event is pending again.
        Case(
            known: ledger(accepted: 3, delivered: 2),
            file: ledger(accepted: 3, delivered: 1),
            counted: ledger(accepted: 3, delivered: 2),
            pendingAtOpen: 1
        ),
        // An event was tracked and delivered only in memory.
        Case(
            known: ledger(accepted: 3, delivered: 2),
            file: ledger(accepted: 2, delivered: 1),
            counted: ledger(accepted: 3, delivered: 2),
            added: ledger(accepted: 1, delivered: 1)
        ),
        // An event was tracked only in memory.
        Case(
            known: ledger(accepted: 3, delivered: 1),
            file: ledger(accepted: 2, delivered: 1),
            lost: 1,
            counted: ledger(accepted: 3, delivered: 1),
            pendingAtOpen: -1
        ),
        // Another process has delivered two events, and has tracked one that is pending.
        Case(
            known: ledger(accepted: 3),
            opening: ledger(accepted: 1),
            file: ledger(accepted: 4, delivered: 2),
            counted: ledger(accepted: 2, delivered: 2),
            pendingAtOpen: 2
        ),
    ])
    func `a process continues its counts with those of the file`(_ test: Case) {
        var file = test.file

        let opening = file.continueCounts(of: test.known, since: test.opening, lost: test.lost)

        #expect(file.since(opening) == test.counted)
        #expect(file.since(test.file) == test.added)
        // The caller counts the lost events as accepted and dropped.
        #expect(opening.pending == test.pendingAtOpen)
    }
}

private func ledger(accepted: Int, delivered: Int = 0, denied: Int = 0) -> LaneLedger {
    var ledger = LaneLedger()
    (ledger.accepted, ledger.delivered) = (accepted, delivered)
    ledger.drop(denied, .consentDenied)
    return ledger
}
