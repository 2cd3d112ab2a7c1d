import AwesomeTracking
import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import Testing

@testable import TYTracker

@Suite struct TYServicesTests {
    @Test func `every event carries Trendyol's channel, product and storefront`() {
        let defaults = TYSettings(storefront: .germany).defaults

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

        try await AwesomeTrackingServiceContract.run(check, on: TYServices.awesomeTracking(on: engine)) {
            _ = await engine.flush(deadline: .seconds(5))
            return destination.events.map { AwesomeTrackingEvent(name: $0.name, parameters: $0.mergedParameters) }
        }
    }

    @Test func `an event carries the storefront of its moment`() async throws {
        let settings = ProductSettings(TYSettings()) { $0.defaults }

        let lines = try await delivered { engine in
            let service = TYServices.awesomeTracking(on: engine, settings: settings)
            service.track(AwesomeTrackingEvent(name: "seen"))
            settings.update { $0.storefront = .germany }
            service.track(AwesomeTrackingEvent(name: "seen"))
        }

        #expect(lines.map { $0.contains(#""storefront":"TR""#) } == [true, false])
        #expect(lines.map { $0.contains(#""storefront":"DE""#) } == [false, true])
    }

    @Test func `a default gives way to the event's own parameter`() async throws {
        let lines = try await delivered { engine in
            TYServices.awesomeTracking(on: engine)
                .track(AwesomeTrackingEvent(name: "seen", parameters: ["currency": "USD"]))
        }

        #expect(lines.map { $0.contains(#""currency":"USD""#) } == [true])
        #expect(lines.map { $0.contains("TRY") } == [false])
    }

    @Test(arguments: FirebaseServiceContract.checks)
    func `keeps the contract of a Firebase service`(check: ServiceContract) async throws {
        let destination = RecordingDestination(lane: .firebase(product: "TY"))
        let engine = try await destination.makeEngine()

        try await FirebaseServiceContract.run(check, on: TYServices.firebase(on: engine)) {
            _ = await engine.flush(deadline: .seconds(5))
            return destination.events.map { FirebaseEvent(name: $0.name, parameters: $0.mergedParameters) }
        }
    }

    @Test(arguments: VendorServiceContract.checks)
    func `keeps the contract of a vendor service`(check: ServiceContract) async throws {
        let destination = RecordingDestination(lane: LaneID(product: "TY", service: "acme"))
        let engine = try await destination.makeEngine()

        try await VendorServiceContract.run(check, on: TYServices.vendors(on: engine), type: "acme") {
            _ = await engine.flush(deadline: .seconds(5))
            return destination.events.map { VendorEvent(name: $0.name, parameters: $0.mergedParameters) }
        }
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
