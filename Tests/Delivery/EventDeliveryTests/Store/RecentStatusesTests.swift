import CoreTracker
import EventDeliveryTesting
import Testing

@testable import EventDelivery

@Suite struct RecentStatusesTests {
    private let lane = LaneID(product: "T", service: "lines")

    @Test func `the end of an event is known until 4,096 others have ended`() {
        var statuses = RecentStatuses()
        statuses.note(.stub(0), lane: lane, .delivered)

        for number in 1...UInt16(4_095) { statuses.note(.stub(number), lane: lane, .delivered) }
        #expect(statuses.status(of: .stub(0)) == EventExplanation(lane: lane, status: .delivered))

        statuses.note(.stub(5_000), lane: lane, .delivered)
        #expect(statuses.status(of: .stub(0)) == nil)
    }

    @Test func `the last end counts`() {
        var statuses = RecentStatuses()

        statuses.note(.stub(1), lane: lane, .quarantined(reason: "status 400"))
        statuses.note(.stub(1), lane: lane, .delivered)

        #expect(statuses.status(of: .stub(1))?.status == .delivered)
    }

    @Test func `events on their way again and purged lanes are forgotten`() {
        var statuses = RecentStatuses()
        statuses.note(.stub(1), lane: lane, .delivered)
        statuses.note(.stub(2), lane: lane, .delivered)

        statuses.forget([.stub(1)])
        #expect(statuses.status(of: .stub(1)) == nil)
        #expect(statuses.status(of: .stub(2)) != nil)

        statuses.forget([lane])
        #expect(statuses.status(of: .stub(2)) == nil)
    }
}
