import CoreTracker
import EventDelivery
import EventDeliveryTesting
import LoopbackCollector
import Testing

@testable import InspectorClient

@Suite struct LaneReportTests {
    @Test func `a lane's ledger, its cause and lost reports stand in one line`() async throws {
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
}
