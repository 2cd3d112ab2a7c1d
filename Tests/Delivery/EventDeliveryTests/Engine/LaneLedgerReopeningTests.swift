import EventDeliveryTesting
import Testing

@testable import EventDelivery

/// Tests of a process's counts after its file was released and opened again.
@Suite struct LaneLedgerReopeningTests {
    /// The ledgers before the release and in the opened file, and the expected counts of the process.
    struct Case: Sendable {
        let known: LaneLedger
        var opening = LaneLedger()
        /// The ledger in the file at the release.
        let stored: LaneLedger
        /// The ledger in the opened file.
        let file: LaneLedger
        /// The number of pending and quarantined events of the changes in memory.
        var kept = 0
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
            stored: ledger(accepted: 5, delivered: 2),
            file: ledger(accepted: 5, delivered: 2),
            counted: ledger(accepted: 4, delivered: 1)
        ),
        // A denial that was reported as failed is in the file.
        Case(
            known: ledger(accepted: 1),
            stored: ledger(accepted: 1),
            file: ledger(accepted: 1, denied: 1),
            counted: ledger(accepted: 1, denied: 1)
        ),
        // The same, and events were refused in memory after it.
        Case(
            known: ledger(accepted: 11, denied: 10),
            stored: ledger(accepted: 1),
            file: ledger(accepted: 1, denied: 1),
            counted: ledger(accepted: 11, denied: 11),
            added: ledger(accepted: 10, denied: 10)
        ),
        // An acknowledgement that was reported as failed is in the file.
        Case(
            known: ledger(accepted: 3, delivered: 2),
            stored: ledger(accepted: 3, delivered: 1),
            file: ledger(accepted: 3, delivered: 2),
            counted: ledger(accepted: 3, delivered: 2)
        ),
        // An acknowledgement was only in memory, so the event is pending again.
        Case(
            known: ledger(accepted: 3, delivered: 2),
            stored: ledger(accepted: 3, delivered: 1),
            file: ledger(accepted: 3, delivered: 1),
            counted: ledger(accepted: 3, delivered: 2),
            pendingAtOpen: 1
        ),
        // An event was tracked and delivered only in memory.
        Case(
            known: ledger(accepted: 3, delivered: 2),
            stored: ledger(accepted: 2, delivered: 1),
            file: ledger(accepted: 2, delivered: 1),
            counted: ledger(accepted: 3, delivered: 2),
            added: ledger(accepted: 1, delivered: 1)
        ),
        // Its insertion was reported as failed and is in the file, so it is pending again.
        Case(
            known: ledger(accepted: 3, delivered: 2),
            stored: ledger(accepted: 2, delivered: 1),
            file: ledger(accepted: 3, delivered: 1),
            counted: ledger(accepted: 3, delivered: 2),
            pendingAtOpen: 1
        ),
        // An event was tracked only in memory.
        Case(
            known: ledger(accepted: 3, delivered: 1),
            stored: ledger(accepted: 2, delivered: 1),
            file: ledger(accepted: 2, delivered: 1),
            kept: 1,
            counted: ledger(accepted: 3, delivered: 1),
            pendingAtOpen: -1
        ),
        // An event was quarantined only in memory, so it is pending again and not lost.
        Case(
            known: ledger(accepted: 3, quarantined: 1),
            stored: ledger(accepted: 3),
            file: ledger(accepted: 3),
            kept: 1,
            counted: ledger(accepted: 3)
        ),
        // The file has lost its events. The caller counts them.
        Case(
            known: ledger(accepted: 10, delivered: 6),
            stored: ledger(accepted: 10, delivered: 6),
            file: ledger(accepted: 6, delivered: 6),
            counted: ledger(accepted: 10, delivered: 6),
            pendingAtOpen: -4
        ),
        // Another process has delivered two events, and has tracked one that is pending.
        Case(
            known: ledger(accepted: 3),
            opening: ledger(accepted: 1),
            stored: ledger(accepted: 3),
            file: ledger(accepted: 4, delivered: 2),
            counted: ledger(accepted: 2, delivered: 2),
            pendingAtOpen: 2
        ),
    ])
    func `a process continues its counts with those of the file`(_ test: Case) {
        let released = ReleasedLane(known: test.known, stored: test.stored, pending: test.kept, quarantined: 0)
        var file = test.file

        let opening = file.continueCounts(of: test.known, since: test.opening, released)

        #expect(file.since(opening) == test.counted)
        #expect(file.since(test.file) == test.added)
        #expect(opening.pending == test.pendingAtOpen)
    }

    @Test func `if the file cannot be read at the release, its changes in memory are lost`() {
        let released = ReleasedLane(known: ledger(accepted: 5, delivered: 1), stored: nil, pending: 1, quarantined: 1)

        #expect(released.lost == 2)
        #expect(released.ledger == ledger(accepted: 3, delivered: 1))
    }
}

private func ledger(accepted: Int, delivered: Int = 0, quarantined: Int = 0, denied: Int = 0) -> LaneLedger {
    var ledger = LaneLedger()
    (ledger.accepted, ledger.delivered, ledger.quarantined) = (accepted, delivered, quarantined)
    ledger.drop(denied, .consentDenied)
    return ledger
}
