import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import Testing

@Suite struct ProductServicesTests {
    @Test(arguments: ProductServicesContract.checks)
    func `keeps the contract of a product's services`(check: ProductServicesContract) async throws {
        let settings = ProductSettings("TR") { ["storefront": .string($0), "product_id": "XY"] }

        try await check.run(on: ProductServices(product: "XY", settings: settings), product: "XY")
    }

    @Test func `an AwesomeTracking event carries the settings of its moment, and those of no other service do`()
        async throws
    {
        let settings = ProductSettings("TR") { ["storefront": .string($0)] }
        let services = ProductServices(product: "XY", settings: settings)
        let lanes: [LaneID] = [
            .awesomeTracking(product: "XY"), .firebase(product: "XY"), LaneID(product: "XY", service: "acme"),
        ]
        let destinations = lanes.map { RecordingDestination(lane: $0) }
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: destinations, transport: ScriptedTransport())
        )

        for country in ["TR", "AZ"] {
            settings.update { $0 = country }
            services.awesomeTracking(on: engine).track(AwesomeTrackingEvent("seen"))
            services.firebase(on: engine).track(FirebaseEvent("seen"))
            services.vendors(on: engine).track(VendorEvent("seen"), type: "acme")
        }
        await engine.close(deadline: .seconds(5))

        let expected: [[EventParameters]] = [[["storefront": "TR"], ["storefront": "AZ"]], [[], []], [[], []]]
        #expect(destinations.map { $0.events.map(\.mergedParameters) } == expected)
    }

    @Test func `vendor events go where the app routes them, and to the lanes again without a route`() async {
        let services = ProductServices(product: "XY", settings: ProductSettings("TR") { _ in [] })
        let (engine, own) = (DeliveryEngine(clock: TestClock()), MockVendorService())
        let vendors = services.vendors(on: engine)

        services.routeVendors(to: own)
        vendors.track(VendorEvent("routed"), type: "acme")
        services.routeVendors(to: vendors)
        vendors.track(VendorEvent("not in a circle"), type: "acme")
        services.routeVendors(to: nil)
        vendors.track(VendorEvent("stored"), type: "acme")

        #expect(own.events(of: "acme").map(\.name) == ["routed", "not in a circle"])
        #expect(await engine.statistics().map(\.ledger.accepted) == [1])
    }
}
