import Testing

@testable import EventTracking

@Suite struct LaneLedgerTests {
    @Test func `events that are not delivered, quarantined or dropped are pending`() {
        var ledger = LaneLedger()
        ledger.accepted = 10
        ledger.delivered = 4
        ledger.quarantined = 1

        ledger.drop(2, .bufferFull)
        ledger.drop(0, .closed)
        ledger.drop(-1, .closed)

        #expect(ledger.pending == 3)
        #expect(ledger.dropped == [.bufferFull: 2])
    }

    @Test func `the counts of all lanes of a file can be added`() {
        let (sum, overflow) = LaneLedger.maximumCount.multipliedReportingOverflow(by: 4_096 * LaneLedger.maximumNames)

        #expect(!overflow && sum < Int.max / 2)
    }

    @Test func `the change since an earlier state is the difference of all counts`() {
        var earlier = LaneLedger()
        earlier.accepted = 3
        earlier.dropped = [.closed: 1]
        earlier.adjusted = ["value_too_long": 1]
        var later = earlier
        later.accepted = 8
        later.delivered = 4
        later.dropped = [.closed: 2, .expired: 2]

        let change = later.since(earlier)

        #expect(change.accepted == 5)
        #expect(change.delivered == 4)
        #expect(change.dropped == [.closed: 1, .expired: 2])
        #expect(change.adjusted.isEmpty)
    }

    @Test(
        arguments: [(3, 7, 3, [:]), (1, 7, 1, [.corrupted: 2]), (5, 9, 5, [:])] as [(Int, Int, Int, [DropReason: Int])]
    )
    func `a ledger counts missing events as corrupted, and unknown ones as accepted`(
        found: Int,
        accepted: Int,
        pending: Int,
        dropped: [DropReason: Int]
    ) {
        var ledger = LaneLedger()
        ledger.accepted = 7
        ledger.delivered = 4

        ledger.agree(pending: found, quarantined: 0)

        #expect(ledger.accepted == accepted)
        #expect(ledger.pending == pending)
        #expect(ledger.dropped == dropped)
    }

    @Test(arguments: [Int.min, .max])
    func `sums saturate at the ends of the range`(number: Int) {
        var ledger = LaneLedger()
        ledger.accepted = number
        ledger.delivered = number == .min ? .max : .min
        ledger.quarantined = ledger.delivered
        ledger.dropped = [.expired: number, .closed: number]
        ledger.adjusted = ["a": number]
        var sum = ledger

        sum.drop(.max, .expired)
        sum.agree(pending: .min, quarantined: .max)

        #expect(!ledger.isPossible)
        #expect(ledger.droppedTotal == number)
        #expect(LaneLedger().since(ledger).dropped.count == 2)
    }
}
