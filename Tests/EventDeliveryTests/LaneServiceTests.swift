import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import Testing

@Suite struct LaneServiceTests {
    @Test func `a vendor with a destination is delivered to, any other is counted as having none`() async throws {
        let engine = DeliveryEngine(clock: TestClock())
        let destination = LineDestination(lane: LaneID(product: "DL", service: "braze"))
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: ScriptedTransport())
        )
        let vendors = LaneService(product: "DL", delivery: engine)

        vendors.track(VendorEvent(name: "seen"), type: "braze")
        vendors.track(VendorEvent(name: "seen"), type: "adobe")
        _ = await engine.flush(deadline: .seconds(5))

        let statistics = await engine.statistics()
        #expect(statistics.map(\.id.service) == ["adobe", "braze"])
        #expect(statistics.map(\.ledger.delivered) == [0, 1])
        #expect(statistics.first?.ledger.dropped == [.noDestination: 1])
    }

    @Test(arguments: VendorServiceContract.checks)
    func `keeps the contract of a vendor service`(check: ServiceContract) async throws {
        let destination = RecordingDestination(lane: LaneID(product: "DL", service: "acme"))
        let engine = try await destination.makeEngine()

        try await VendorServiceContract.run(check, on: LaneService(product: "DL", delivery: engine), type: "acme") {
            _ = await engine.flush(deadline: .seconds(5))
            return destination.events.map { VendorEvent(name: $0.name, parameters: $0.mergedParameters) }
        }
    }

    @Test func `each of its services has a lane of its own, made by its first event`() async throws {
        let engine = DeliveryEngine(clock: TestClock())
        let service = LaneService(product: "DL", delivery: engine)

        service.track(FirebaseEvent("seen"))
        #expect(await engine.statistics().map(\.id) == [.firebase(product: "DL")])

        service.track(AwesomeTrackingEvent("seen"))
        service.track(VendorEvent("seen"), type: "braze")
        let lanes = await engine.statistics().map(\.id.description)
        #expect(lanes == ["DL/awesomeTracking", "DL/braze", "DL/firebase"])
    }

    @Test func `defaults and options of an event travel with it`() async throws {
        let destination = RecordingDestination(lane: .firebase(product: "DL"))
        let engine = try await destination.makeEngine()
        let event = FirebaseEvent("order", ["a": 1], options: .critical).scoped(by: ["a": 0, "b": 2])

        LaneService(product: "DL", delivery: engine).track(event)
        _ = await engine.flush(deadline: .seconds(5))

        #expect(destination.events.map(\.parameters) == [["a": 1]])
        #expect(destination.events.map(\.defaults) == [["a": 0, "b": 2]])
    }
}
