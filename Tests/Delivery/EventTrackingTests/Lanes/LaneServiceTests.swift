import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import EventTracking
import Testing

@Suite(.timeLimit(.minutes(5))) struct LaneServiceTests {
    @Test func `events of a vendor without a destination are counted, and others are delivered`() async throws {
        let engine = DeliveryEngine(clock: TestClock())
        let destination = LineDestination(lane: LaneID(product: "DL", service: "braze"))
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: ScriptedTransport())
        )
        let vendors = LaneService(product: "DL", on: engine)

        vendors.track(VendorEvent("braze", "seen"))
        vendors.track(VendorEvent("adobe", "seen"))
        _ = await engine.flush(timeout: .seconds(5))

        let statistics = await engine.statistics()
        #expect(statistics.map(\.id.service) == ["adobe", "braze"])
        #expect(statistics.map(\.ledger.delivered) == [0, 1])
        #expect(statistics.first?.ledger.dropped == [.noDestination: 1])
    }

    @Test func `without a vendor service each event is counted on its vendor's lane, before and after opening`()
        async throws
    {
        let destination = RecordingDestination(lane: LaneID(product: "DL", service: "braze"))
        let engine = DeliveryEngine(clock: TestClock())
        let vendors = NoVendorService(product: "DL", on: engine)

        vendors.track(VendorEvent("braze", "seen"))
        #expect(await engine.statistics().map(\.ledger.dropped) == [[.noVendorService: 1]])
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: ScriptedTransport())
        )
        vendors.track(VendorEvent("braze", "seen"))
        let report = await engine.flush(timeout: .seconds(5))

        #expect(destination.events.isEmpty)
        #expect(report.lanes.map(\.dropped) == [[.noVendorService: 2]])
        try await LedgerCheck.check(engine)
    }

    @Test(arguments: [
        (TrackingLoss.notRegistered("braise", registered: ["braze"]), DropReason.vendorNotRegistered),
        (.disabled("braise"), .vendorDisabled), (.withoutEvents("braise"), .vendorWithoutEvents),
        (.withoutConsent("braise"), .consentDenied), (.noTracker(service: "braise"), .noTracker),
        (.noVendorService("braise"), .noVendorService),
    ]) func `a loss before a lane is counted on the lane of its vendor`(loss: TrackingLoss, reason: DropReason) async {
        let engine = DeliveryEngine(clock: TestClock())

        LaneService(product: "DL", on: engine).record(loss)
        engine.lane(LaneID(product: "DL", service: "sumo")).record(loss)

        let lane = await engine.statistics().first { $0.ledger.accepted > 0 }
        #expect(lane?.id.description == "DL/braise")
        #expect(lane?.ledger.dropped == [reason: 2])
    }

    @Test func `a vendor that is not registered is explained with a similar one`() async throws {
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [LineDestination()], transport: ScriptedTransport())
        )

        LaneService(product: "DL", on: engine).record(.notRegistered("braise", registered: ["adobe", "braze"]))

        let lane = await engine.statistics().first { $0.id.product == "DL" }
        #expect(lane?.explanation == "vendor braise: not registered, 1 event is dropped: did you mean braze?")
    }

    @Test func `a duplicate registration is a diagnostic, even for a later listener`() async {
        let engine = DeliveryEngine(clock: TestClock())

        LaneService(product: "DL", on: engine).record(.duplicateRegistration("braze"))

        var diagnostics = engine.diagnostics().makeAsyncIterator()
        #expect(await diagnostics.next() == .duplicateVendor(LaneID(product: "DL", service: "braze")))
    }

    @Test(arguments: ServiceContract.checks)
    func `keeps the contract of a vendor service`(check: ServiceContract.Check) async throws {
        let destination = RecordingDestination(lane: LaneID(product: "DL", service: "acme"))
        let engine = try await destination.makeEngine()

        try await check.run(
            .vendor(LaneService(product: "DL", on: engine), type: "acme") {
                _ = await engine.flush(timeout: .seconds(5))
                return destination.events.map { VendorEvent("acme", $0.name, $0.mergedParameters) }
            }
        )
    }

    @Test func `each service has a separate lane, which its first event creates`() async throws {
        let engine = DeliveryEngine(clock: TestClock())
        let service = LaneService(product: "DL", on: engine)

        service.track(FirebaseEvent("seen"))
        #expect(await engine.statistics().map(\.id) == [.firebase(product: "DL")])

        service.track(AwesomeTrackingEvent("seen"))
        service.track(VendorEvent("braze", "seen"))
        let lanes = await engine.statistics().map(\.id.description)
        #expect(lanes == ["DL/awesomeTracking", "DL/braze", "DL/firebase"])
    }

    @Test func `an event keeps its defaults and options`() async throws {
        let destination = RecordingDestination(lane: .firebase(product: "DL"))
        let engine = try await destination.makeEngine()
        let event = FirebaseEvent("order", ["a": 1], options: .critical).withDefaults(["a": 0, "b": 2])

        LaneService(product: "DL", on: engine).track(event)
        _ = await engine.flush(timeout: .seconds(5))

        #expect(destination.events.map(\.parameters) == [["a": 1]])
        #expect(destination.events.map(\.defaults) == [["a": 0, "b": 2]])
    }
}
