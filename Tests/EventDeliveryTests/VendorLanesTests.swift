import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import Testing

@Suite struct VendorLanesTests {
    @Test func `a vendor with a destination is delivered to, any other is counted as having none`() async throws {
        let engine = DeliveryEngine(clock: TestClock())
        let destination = LineDestination(lane: LaneID(product: "DL", service: "braze"))
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: ScriptedTransport())
        )
        let vendors = VendorLanes(product: "DL", delivery: engine)

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

        try await VendorServiceContract.run(check, on: VendorLanes(product: "DL", delivery: engine), type: "acme") {
            _ = await engine.flush(deadline: .seconds(5))
            return destination.events.map { VendorEvent(name: $0.name, parameters: $0.mergedParameters) }
        }
    }
}
