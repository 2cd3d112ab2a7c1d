import AwesomeTracking
import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import Testing

@testable import SFTracker

@Suite struct SFServicesTests {
    @Test func `every event carries Starfield's channel, product and mode`() {
        let defaults = SFSettings(mode: .selfPlay).defaults

        #expect(defaults["channel"] == "starfield")
        #expect(defaults["product_id"] == "SF")
        #expect(defaults["mode"] == "self_play")
        #expect(defaults["platform"] != nil)
    }

    @Test(arguments: AwesomeTrackingServiceContract.checks)
    func `keeps the contract of an AwesomeTracking service`(check: ServiceContract) async throws {
        let destination = RecordingDestination(lane: .awesomeTracking(product: "SF"))
        let engine = try await destination.makeEngine()

        try await AwesomeTrackingServiceContract.run(check, on: SFServices.awesomeTracking(on: engine)) {
            _ = await engine.flush(deadline: .seconds(5))
            return destination.events.map { AwesomeTrackingEvent(name: $0.name, parameters: $0.mergedParameters) }
        }
    }

    @Test func `nothing of a shop is among the defaults`() {
        let keys = SFSettings(mode: .keyboard).defaults.map(\.key.name)

        #expect(Set(keys).isDisjoint(with: ["storefront", "storefront_id", "currency", "language"]))
    }

    @Test func `an event carries the mode of its moment`() async throws {
        let settings = ProductSettings(SFSettings()) { $0.defaults }

        let lines = try await delivered { engine in
            let service = SFServices.awesomeTracking(on: engine, settings: settings)
            service.track(AwesomeTrackingEvent(name: "seen"))
            settings.update { $0.mode = .headless }
            service.track(AwesomeTrackingEvent(name: "seen"))
        }

        #expect(lines.map { $0.contains(#""mode":"keyboard""#) } == [true, false])
        #expect(lines.map { $0.contains(#""mode":"headless""#) } == [false, true])
    }

    @Test(arguments: FirebaseServiceContract.checks)
    func `keeps the contract of a Firebase service`(check: ServiceContract) async throws {
        let destination = RecordingDestination(lane: .firebase(product: "SF"))
        let engine = try await destination.makeEngine()

        try await FirebaseServiceContract.run(check, on: SFServices.firebase(on: engine)) {
            _ = await engine.flush(deadline: .seconds(5))
            return destination.events.map { FirebaseEvent(name: $0.name, parameters: $0.mergedParameters) }
        }
    }

    @Test(arguments: VendorServiceContract.checks)
    func `keeps the contract of a vendor service`(check: ServiceContract) async throws {
        let destination = RecordingDestination(lane: LaneID(product: "SF", service: "acme"))
        let engine = try await destination.makeEngine()

        try await VendorServiceContract.run(check, on: SFServices.vendors(on: engine), type: "acme") {
            _ = await engine.flush(deadline: .seconds(5))
            return destination.events.map { VendorEvent(name: $0.name, parameters: $0.mergedParameters) }
        }
    }

    /// Tracks on an open engine and answers the lines that the product's lane delivered.
    private func delivered(_ track: (DeliveryEngine) -> Void) async throws -> [String] {
        let transport = ScriptedTransport()
        let engine = DeliveryEngine(clock: TestClock())
        let destination = LineDestination(lane: LaneID(product: "SF", service: "awesomeTracking"))
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport)
        )
        track(engine)
        await engine.close(deadline: .seconds(5))
        return transport.requests.flatMap { String(decoding: $0.body, as: UTF8.self).split(separator: "\n") }
            .map(String.init)
    }
}
