import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Testing

@testable import InspectorClient

@Suite struct OpenEventsTests {
    private let lane = LaneID(product: "T", service: "lines")

    @Test func `events are queried in turn until their status is final`() {
        var open = OpenEvents()
        for number in 1...3 { open.insert(.stub(UInt16(number)), on: lane) }

        let first = open.next(2).map(\.id)
        let isNews = open.record(.queued, of: .stub(1))
        let isNewsAgain = open.record(.queued, of: .stub(1))
        let isEnd = open.record(.delivered, of: .stub(2))
        open.remove([.stub(3)])

        #expect(first == [.stub(1), .stub(2)])
        #expect((isNews, isNewsAgain, isEnd) == (true, false, true))
        #expect(open.next(9).map(\.id) == [.stub(1)])
        #expect(open.record(.delivered, of: .stub(2)) == false)
    }

    @Test func `an unknown event is not queried again`() {
        var open = OpenEvents()
        open.insert(.stub(1), on: lane)

        _ = open.record(nil, of: .stub(1))

        #expect(open.next(1).isEmpty)
    }

    @Test func `the oldest events are removed to limit the size`() {
        var open = OpenEvents()
        for number in 0..<45_000 { open.insert(EventID(high: 1, low: UInt64(number)), on: lane) }

        let asked = open.next(100_000)

        #expect(asked.count == 20_000)
        #expect(asked.last?.id.low == 44_999)
    }
}
