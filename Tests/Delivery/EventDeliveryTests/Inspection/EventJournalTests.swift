import CoreTracker
import EventDeliveryTesting
import EventTracking
import Testing

@testable import EventDelivery

@Suite struct EventJournalTests {
    private let lane = LaneID(product: "T", service: "lines")

    private func settle(_ numbers: some Sequence<UInt16>, as status: EventStatus = .delivered) -> SettledEvents {
        SettledEvents(status, lane: lane, numbers.map { .stub($0) })
    }

    @Test(arguments: [1, 32, 500])
    func `an event is known until many others are settled, in batches of any size`(batch: Int) {
        var journal = EventJournal()
        journal.record(settle([0]))

        for start in stride(from: 1, through: 4_095, by: batch) {
            journal.record(settle(UInt16(start)..<UInt16(min(start + batch, 4_096))))
        }
        #expect(journal.explanation(of: .stub(0)) == EventExplanation(lane: lane, status: .delivered))

        for start in stride(from: 4_096, to: 9_000, by: batch) {
            journal.record(settle(UInt16(start)..<UInt16(start + batch)))
            #expect(journal.explanation(of: .stub(UInt16(start + batch - 4_096))) != nil)
        }
        #expect(journal.explanation(of: .stub(0)) == nil)
        #expect(journal.explanation(of: .stub(8_999))?.status == .delivered)
    }

    @Test func `a batch that is larger than the journal is known`() {
        var journal = EventJournal()

        journal.record(settle(0..<20_000))
        journal.record(settle([20_000]))

        #expect(journal.explanation(of: .stub(0))?.status == .delivered)
        #expect(journal.explanation(of: .stub(20_000))?.status == .delivered)
    }

    @Test func `the last status of an event counts`() {
        var journal = EventJournal()

        journal.record(settle([1, 2], as: .quarantined(reason: "status 400")))
        journal.record(settle([0, 1]))

        #expect(journal.explanation(of: .stub(1))?.status == .delivered)
        #expect(journal.explanation(of: .stub(2))?.status == .quarantined(reason: "status 400"))
    }

    @Test func `retried events and the events of denied lanes are forgotten`() {
        var journal = EventJournal()
        journal.record(settle([1, 2]))

        journal.forget([.stub(1)])
        #expect(journal.explanation(of: .stub(1)) == nil)
        #expect(journal.explanation(of: .stub(2)) != nil)

        journal.forget(lane)
        #expect(journal.explanation(of: .stub(2)) == nil)
    }

    @Test func `an event that was retried and settled again is known as long as any other`() {
        var journal = EventJournal()
        journal.record(settle([0], as: .quarantined(reason: "status 400")))
        journal.forget([.stub(0)])
        for number in 1...UInt16(4_000) { journal.record(settle([number])) }
        journal.record(settle([0]))

        for number in 5_000...UInt16(9_094) { journal.record(settle([number])) }

        #expect(journal.explanation(of: .stub(0))?.status == .delivered)
    }

    @Test func `events that were not read have one outcome without an id`() {
        let events = SettledEvents(.dropped(.expired), lane: lane, [.stub(1)], count: 3)

        #expect(events.outcomes.map(\.id) == [.stub(1), nil])
        #expect(events.outcomes.map(\.count) == [1, 2])
        #expect(events.outcomes.allSatisfy { $0.kind == .dropped(.expired) })
    }
}
