import AwesomeTracking
import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import Synchronization
import Testing

@testable import TYTracker

@Suite struct TYAwesomeTrackingServiceTests {
    @Test func `every event carries Trendyol's channel, product and storefront`() {
        let defaults = TYAwesomeTrackingService.defaults(in: .germany)

        #expect(defaults["channel"] == "trendyol")
        #expect(defaults["product_id"] == "TY")
        #expect(defaults["storefront"] == "DE")
        #expect(defaults["storefront_id"] == 2)
        #expect(defaults["currency"] == "EUR")
        #expect(defaults["language"] == "de-DE")
        #expect(defaults["platform"] != nil)
    }

    @Test(arguments: AwesomeTrackingServiceContract.checks)
    func `keeps the contract of an AwesomeTracking service`(check: ServiceContract) async throws {
        let destination = RecordingDestination(lane: .awesomeTracking(product: "TY"))
        let engine = try await destination.makeEngine()

        try await AwesomeTrackingServiceContract.run(check, on: TYAwesomeTrackingService(delivery: engine)) {
            _ = await engine.flush(deadline: .seconds(5))
            return destination.events.map { AwesomeTrackingEvent(name: $0.name, parameters: $0.mergedParameters) }
        }
    }

    @Test func `an event carries the storefront of its moment`() async throws {
        let storefront = Mutex(TYStorefront.turkey)

        let lines = try await delivered { engine in
            let service = TYAwesomeTrackingService(delivery: engine) { storefront.withLock { $0 } }
            service.track(AwesomeTrackingEvent(name: "seen"))
            storefront.withLock { $0 = .germany }
            service.track(AwesomeTrackingEvent(name: "seen"))
        }

        #expect(lines.map { $0.contains(#""storefront":"TR""#) } == [true, false])
        #expect(lines.map { $0.contains(#""storefront":"DE""#) } == [false, true])
    }

    @Test func `a default gives way to the event's own parameter`() async throws {
        let lines = try await delivered { engine in
            TYAwesomeTrackingService(delivery: engine)
                .track(AwesomeTrackingEvent(name: "seen", parameters: ["currency": "USD"]))
        }

        #expect(lines.map { $0.contains(#""currency":"USD""#) } == [true])
        #expect(lines.map { $0.contains("TRY") } == [false])
    }

    /// Tracks on an open engine and answers the lines that the product's lane delivered.
    private func delivered(_ track: (DeliveryEngine) -> Void) async throws -> [String] {
        let transport = ScriptedTransport()
        let engine = DeliveryEngine(clock: TestClock())
        let destination = LineDestination(lane: LaneID(product: "TY", service: "awesomeTracking"))
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport)
        )
        track(engine)
        await engine.close(deadline: .seconds(5))
        return transport.requests.flatMap { String(decoding: $0.body, as: UTF8.self).split(separator: "\n") }
            .map(String.init)
    }
}
