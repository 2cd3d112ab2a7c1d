import AdapterTesting
import AwesomeTracking
import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import FirebaseTracking
import Testing

@testable import DLTracker

@Suite struct DLServicesTests {
    @Test func `every event carries Dolap Lite's channel, product and storefront`() {
        let defaults = DLSettings(storefront: .turkey).defaults

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

        try await AwesomeTrackingServiceContract.run(check, on: DLServices.awesomeTracking(on: engine)) {
            _ = await engine.flush(deadline: .seconds(5))
            return destination.events.map { AwesomeTrackingEvent(name: $0.name, parameters: $0.mergedParameters) }
        }
    }

    @Test func `Firebase's events reach its SDK where the app opens the engine with it, by the same services`()
        async throws
    {
        let adapter = MockFirebaseSDKAdapter()
        let engine = DeliveryEngine(clock: TestClock())
        let tracker = DLTracker(firebaseService: DLServices.firebase(on: engine))
        let firebase = FirebaseSDKDestination(product: "DL", adapter: adapter)

        tracker.firebaseService.track(FirebaseEvent("view_item", ["currency": "TRY"]))
        try await engine.open(DeliveryConfiguration(directory: nil, destinations: [firebase]))
        await engine.close(deadline: .seconds(5))

        #expect(adapter.events.map(\.name) == ["view_item"])
        #expect(adapter.events.first?.parameters["currency"] == "TRY")
    }

    @Test func `an event carries the storefront of its moment`() async throws {
        let settings = ProductSettings(DLSettings()) { $0.defaults }

        let lines = try await delivered { engine in
            let service = DLServices.awesomeTracking(on: engine, settings: settings)
            service.track(AwesomeTrackingEvent(name: "seen"))
            settings.update { $0.storefront = .azerbaijan }
            service.track(AwesomeTrackingEvent(name: "seen"))
        }

        #expect(lines.map { $0.contains(#""storefront":"TR""#) } == [true, false])
        #expect(lines.map { $0.contains(#""storefront":"AZ""#) } == [false, true])
    }

    @Test func `a default gives way to the event's own parameter`() async throws {
        let lines = try await delivered { engine in
            DLServices.awesomeTracking(on: engine)
                .track(AwesomeTrackingEvent(name: "seen", parameters: ["currency": "USD"]))
        }

        #expect(lines.map { $0.contains(#""currency":"USD""#) } == [true])
        #expect(lines.map { $0.contains("TRY") } == [false])
    }

    @Test(arguments: FirebaseServiceContract.checks)
    func `keeps the contract of a Firebase service`(check: ServiceContract) async throws {
        let destination = RecordingDestination(lane: .firebase(product: "DL"))
        let engine = try await destination.makeEngine()

        try await FirebaseServiceContract.run(check, on: DLServices.firebase(on: engine)) {
            _ = await engine.flush(deadline: .seconds(5))
            return destination.events.map { FirebaseEvent(name: $0.name, parameters: $0.mergedParameters) }
        }
    }

    @Test(arguments: VendorServiceContract.checks)
    func `keeps the contract of a vendor service`(check: ServiceContract) async throws {
        let destination = RecordingDestination(lane: LaneID(product: "DL", service: "acme"))
        let engine = try await destination.makeEngine()

        try await VendorServiceContract.run(check, on: DLServices.vendors(on: engine), type: "acme") {
            _ = await engine.flush(deadline: .seconds(5))
            return destination.events.map { VendorEvent(name: $0.name, parameters: $0.mergedParameters) }
        }
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
