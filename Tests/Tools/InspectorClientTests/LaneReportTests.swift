import CoreTracker
import EventDelivery
import EventDeliveryTesting
import LoopbackCollector
import Testing

@testable import InspectorClient

@Suite struct LaneReportTests {
    @Test func `a lane's ledger, cause and lost reports are on one line`() async throws {
        let engine = DeliveryEngine(capacity: 1)
        let lane = engine.lane(LaneID(product: "T", service: "lines"))
        for _ in 0..<3 { lane.track("a", parameters: []) }
        let statistics = try #require(await engine.statistics().first)

        let report = LaneReport(statistics, lostReports: 2)
        let line = CollectedValue(Array(report.line.dropLast()))

        #expect((line?["kind"], line?["lane"]) == ("lane", "T/lines"))
        #expect((line?["accepted"], line?["pending"], line?["dropped"]?["buffer_full"]) == (3, 1, 2))
        let cause = try #require(statistics.explanation)
        #expect(cause.hasPrefix("no destination serves the lane"))
        #expect((line?["cause"], line?["lostReports"]) == (.string(cause), 2))
        #expect(report != LaneReport(statistics, lostReports: 3))
    }

    @Test func `an event for a vendor that a product has no service for is shown with its cause`() async throws {
        let engine = DeliveryEngine(clock: TestClock())
        NoVendorService(product: "DL", delivery: engine).track(VendorEvent("braze", "liked"))
        let statistics = try #require(await engine.statistics().first)

        let line = CollectedValue(Array(LaneReport(statistics, lostReports: 0).line.dropLast()))

        #expect((line?["lane"], line?["accepted"]) == ("DL/braze", 1))
        #expect(line?["dropped"]?["no_vendor_service"] == 1)
        #expect(line?["cause"]?.string?.contains("has no vendor service; pass one to its initializer") == true)
    }

    @Test func `an event that a tracker without a vendor service has dropped is shown, too`() {
        let report = LaneReport(vendor: "braze", dropped: 2, lostReports: 0)

        let line = CollectedValue(Array(report.line.dropLast()))

        #expect((line?["lane"], line?["dropped"]?["no_vendor_service"]) == ("?/braze", 2))
    }
}
