import CoreTracker
import EventDeliveryTesting
import Testing

@testable import EventDelivery

@Suite struct RecentStatusesTests {
    private let lane = LaneID(product: "T", service: "lines")

    @Test func `the final status of an event is known until 4,096 others are recorded`() {
        var statuses = RecentStatuses()
        statuses.record(.stub(0), lane: lane, .delivered)

        for number in 1...UInt16(4_095) { statuses.record(.stub(number), lane: lane, .delivered) }
        #expect(statuses.status(of: .stub(0)) == EventExplanation(lane: lane, status: .delivered))

        statuses.record(.stub(5_000), lane: lane, .delivered)
        #expect(statuses.status(of: .stub(0)) == nil)
    }

    @Test func `the last status of an event counts`() {
        var statuses = RecentStatuses()

        statuses.record(.stub(1), lane: lane, .quarantined(reason: "status 400"))
        statuses.record(.stub(1), lane: lane, .delivered)

        #expect(statuses.status(of: .stub(1))?.status == .delivered)
    }

    @Test func `retried events and the events of denied lanes are forgotten`() {
        var statuses = RecentStatuses()
        statuses.record(.stub(1), lane: lane, .delivered)
        statuses.record(.stub(2), lane: lane, .delivered)

        statuses.forget([.stub(1)])
        #expect(statuses.status(of: .stub(1)) == nil)
        #expect(statuses.status(of: .stub(2)) != nil)

        statuses.forget([lane])
        #expect(statuses.status(of: .stub(2)) == nil)
    }

    @Test func `an event that was retried and settled again is known as long as any other`() {
        var statuses = RecentStatuses()
        statuses.record(.stub(0), lane: lane, .quarantined(reason: "status 400"))
        statuses.forget([.stub(0)])
        for number in 1...UInt16(4_000) { statuses.record(.stub(number), lane: lane, .delivered) }
        statuses.record(.stub(0), lane: lane, .delivered)

        for number in 5_000...UInt16(9_094) { statuses.record(.stub(number), lane: lane, .delivered) }
        #expect(statuses.status(of: .stub(0))?.status == .delivered)

        statuses.record(.stub(9_095), lane: lane, .delivered)
        #expect(statuses.status(of: .stub(0)) == nil)
    }
}
