import AwesomeTracking
import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import Synchronization
import Testing

@testable import DLTracker

@Suite struct DLAwesomeTrackingServiceTests {
    @Test func `every event carries Dolap Lite's channel, product and storefront`() {
        let defaults = DLAwesomeTrackingService.defaults(in: .turkey)

        #expect(defaults["channel"] == "dolap_lite")
        #expect(defaults["product_id"] == "DL")
        #expect(defaults["storefront"] == "TR")
        #expect(defaults["currency"] == "TRY")
        #expect(defaults["language"] == "tr")
        #expect(defaults["platform"] != nil)
    }

    @Test(arguments: AwesomeTrackingServiceContract.checks)
    func `keeps the contract of an AwesomeTracking service`(check: ServiceContract) async throws {
        let destination = RecordingDestination(lane: .awesomeTracking(product: "DL"))
        let engine = try await destination.makeEngine()

        try await AwesomeTrackingServiceContract.run(check, on: DLAwesomeTrackingService(delivery: engine)) {
            _ = await engine.flush(deadline: .seconds(5))
            return destination.events.map { AwesomeTrackingEvent(name: $0.name, parameters: $0.mergedParameters) }
        }
    }

    @Test func `an event carries the storefront of its moment`() async throws {
        let storefront = Mutex(DLStorefront.turkey)

        let lines = try await delivered { engine in
            let service = DLAwesomeTrackingService(delivery: engine) { storefront.withLock { $0 } }
            service.track(AwesomeTrackingEvent(name: "seen"))
            storefront.withLock { $0 = .azerbaijan }
            service.track(AwesomeTrackingEvent(name: "seen"))
        }

        #expect(lines.map { $0.contains(#""storefront":"TR""#) } == [true, false])
        #expect(lines.map { $0.contains(#""storefront":"AZ""#) } == [false, true])
    }

    @Test func `a default gives way to the event's own parameter`() async throws {
        let lines = try await delivered { engine in
            DLAwesomeTrackingService(delivery: engine)
                .track(AwesomeTrackingEvent(name: "seen", parameters: ["currency": "USD"]))
        }

        #expect(lines.map { $0.contains(#""currency":"USD""#) } == [true])
        #expect(lines.map { $0.contains("TRY") } == [false])
    }

    /// Tracks on an open engine and answers the lines that the product's lane delivered.
    private func delivered(_ track: (DeliveryEngine) -> Void) async throws -> [String] {
        let transport = ScriptedTransport()
        let engine = DeliveryEngine(clock: TestClock())
        let destination = LineDestination(lane: LaneID(product: "DL", service: "awesomeTracking"))
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport)
        )
        track(engine)
        await engine.close(deadline: .seconds(5))
        return transport.requests.flatMap { String(decoding: $0.body, as: UTF8.self).split(separator: "\n") }
            .map(String.init)
    }
}
