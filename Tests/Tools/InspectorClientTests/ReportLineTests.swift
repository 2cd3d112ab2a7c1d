import CoreTracker
import EventDelivery
import EventDeliveryTesting
import LoopbackCollector
import Testing

@testable import InspectorClient

@Suite struct ReportLineTests {
    private let lane = LaneID(product: "T", service: "lines")

    private func value(_ line: [UInt8]) -> CollectedValue? {
        line.last == UInt8(ascii: "\n") ? CollectedValue(Array(line.dropLast())) : nil
    }

    @Test func `an event with any text is one line`() {
        let event = OutgoingEvent.stub(name: "a\n\"b", parameters: ["k\u{1}": "\n"], defaults: ["d": [1.5, true]])

        let line = ReportLine.event(event, on: lane, body: Array("{\n}".utf8), adjustments: ["cut": 2], error: nil)

        #expect(line.count { $0 == UInt8(ascii: "\n") } == 1)
        #expect(value(line)?["name"] == "a\n\"b")
        #expect(value(line)?["body"] == "{\n}")
        #expect(value(line)?["defaults"] == #"{"d":[1.5,true]}"#)
        #expect(value(line)?["repairs"]?["cut"] == 2)
        #expect(value(line)?["refused"] == nil)
    }

    @Test func `the start of a response is reported without control characters`() {
        let batch = OutgoingBatch(id: .stub(), events: [.init(id: .stub(7), fragment: [])])
        let answer = HTTPResponse(status: 400, body: Array(("Code: 27\r\n" + String(repeating: "x", count: 900)).utf8))

        let line = ReportLine.attempt(answer, .refused("code 27"), for: batch, on: lane)

        #expect(value(line)?["answer"]?.string?.hasPrefix("Code: 27  xxx") == true)
        #expect(value(line)?["answer"]?.string?.utf8.count == 256)
        #expect(value(line)?["ids"] == .array([.string(EventID.stub(7).description)]))
        #expect(value(line)?["result"] == "an event is refused: code 27")
    }

    @Test(arguments: [
        (EventStatus.buffered, "queued", ""), (.queued, "queued", ""), (.sending(attempts: 0), "queued", ""),
        (.sending(attempts: 2), "sending", "sent 2 times"), (.awaitingConsent, "awaiting consent", ""),
        (.quarantined(reason: "code 27"), "quarantined", "code 27"), (.delivered, "delivered", ""),
        (.dropped(.expired), "dropped", "expired"),
    ]) func `each status has its name`(status: EventStatus, state: String, reason: String) {
        let line = value(ReportLine.status(status, of: .stub(), on: lane))

        #expect(line?["state"]?.string == state)
        #expect(line?["reason"]?.string == reason)
    }
}

@Suite(.timeLimit(.minutes(5))) struct LaneReportTests {
    @Test func `a lane's ledger, cause and lost reports are on one line`() async throws {
        let engine = DeliveryEngine(capacity: 1)
        let lane = engine.lane(LaneID(product: "T", service: "lines"))
        for _ in 0..<3 { lane.track("a", parameters: []) }
        let statistics = try #require(await engine.statistics().first)

        let line = CollectedValue(Array(ReportLine.lane(statistics, lostReports: 2).dropLast()))

        #expect((line?["kind"], line?["lane"]) == ("lane", "T/lines"))
        #expect((line?["accepted"], line?["pending"], line?["dropped"]?["buffer_full"]) == (3, 1, 2))
        let cause = try #require(statistics.explanation)
        #expect(cause.hasPrefix("1 event is only in memory, because the engine was never opened"))
        #expect((line?["cause"], line?["lostReports"]) == (.string(cause), 2))
    }

    @Test func `an event for a vendor that a product has no service for is shown with its cause`() async throws {
        let engine = DeliveryEngine(clock: TestClock())
        NoVendorService(product: "DL", on: engine).track(VendorEvent("braze", "liked"))
        let statistics = try #require(await engine.statistics().first)

        let line = CollectedValue(Array(ReportLine.lane(statistics, lostReports: 0).dropLast()))

        #expect((line?["lane"], line?["accepted"]) == ("DL/braze", 1))
        #expect(line?["dropped"]?["no_vendor_service"] == 1)
        #expect(line?["cause"]?.string?.contains("has no vendor service: give it one, such as LaneService") == true)
    }
}
