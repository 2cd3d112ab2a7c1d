import CoreTracker
import EventDeliveryTesting
import Testing

@testable import EventDelivery

@Suite struct RecentFatesTests {
    private let lane = LaneID(product: "T", service: "lines")

    @Test func `the end of an event is known until 4,096 others have ended`() {
        var fates = RecentFates()
        fates.note(.stub(0), lane: lane, .delivered)

        for number in 1...UInt16(4_095) { fates.note(.stub(number), lane: lane, .delivered) }
        #expect(fates.fate(of: .stub(0)) == EventExplanation(lane: lane, fate: .delivered))

        fates.note(.stub(5_000), lane: lane, .delivered)
        #expect(fates.fate(of: .stub(0)) == nil)
    }

    @Test func `the last end counts`() {
        var fates = RecentFates()

        fates.note(.stub(1), lane: lane, .quarantined(reason: "status 400"))
        fates.note(.stub(1), lane: lane, .delivered)

        #expect(fates.fate(of: .stub(1))?.fate == .delivered)
    }

    @Test func `events on their way again and purged lanes are forgotten`() {
        var fates = RecentFates()
        fates.note(.stub(1), lane: lane, .delivered)
        fates.note(.stub(2), lane: lane, .delivered)

        fates.forget([.stub(1)])
        #expect(fates.fate(of: .stub(1)) == nil)
        #expect(fates.fate(of: .stub(2)) != nil)

        fates.forget([lane])
        #expect(fates.fate(of: .stub(2)) == nil)
    }
}
