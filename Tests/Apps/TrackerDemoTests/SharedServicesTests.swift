import CoreTracker
import CoreTrackerTesting
import DLTracker
import EventDelivery
import EventDeliveryTesting
import TYTracker
import Testing

/// One implementation for two products.
///
/// Only the products' default parameters differ.
@Suite(.timeLimit(.minutes(5))) struct SharedServicesTests {
    @Test func `one Firebase and one AwesomeTracking implementation serve two products, each with its own defaults`() {
        let (firebase, awesomeTracking, vendors) = (
            MockFirebaseService(), MockAwesomeTrackingService(), MockVendorService()
        )
        let dolapLite = DLTracker(
            firebaseService: firebase,
            awesomeTrackingService: DLAwesomeTrackingService(over: awesomeTracking),
            vendorService: vendors
        )
        let trendyol = TYTracker(
            firebaseService: firebase,
            awesomeTrackingService: TYAwesomeTrackingService(over: awesomeTracking),
            vendorService: vendors
        )

        dolapLite.track(Seen(id: "dl"))
        trendyol.track(Seen(id: "ty"))

        #expect(firebase.events == [FirebaseEvent("seen", ["id": "dl"]), FirebaseEvent("seen", ["id": "ty"])])
        #expect(vendors.events(of: "braze").map(\.parameters) == [["id": "dl"], ["id": "ty"]])
        #expect(awesomeTracking.events.map(\.parameters) == [["id": "dl"], ["id": "ty"]])
        #expect(awesomeTracking.events.map { $0.defaults["channel"] } == ["dolap_lite", "trendyol"])
        #expect(awesomeTracking.events.map { $0.defaults["product_id"] } == ["DL", "TY"])
        #expect(awesomeTracking.events.map { $0.defaults["storefront_id"] } == [nil, 1])
    }

    @Test func `one engine has a lane for each product and service`() async throws {
        let (dolapLite, trendyol) = (
            RecordingDestination(lane: .awesomeTracking(product: "DL")),
            RecordingDestination(lane: .awesomeTracking(product: "TY"))
        )
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [dolapLite, trendyol], transport: ScriptedTransport())
        )

        DLTracker(on: engine).track(Row(id: "dl"))
        TYTracker(on: engine).track(Row(id: "ty"))
        await engine.close(timeout: .seconds(5))

        #expect(
            dolapLite.events.map { [$0.mergedParameters["id"], $0.defaults["channel"]] } == [["dl", "dolap_lite"]]
        )
        #expect(trendyol.events.map { [$0.mergedParameters["id"], $0.defaults["channel"]] } == [["ty", "trendyol"]])
    }
}

private struct Seen: CoreTrackable {
    let id: String

    var services: [EventService] {
        FirebaseEvent("seen", [EventParameter("id", id)])
        AwesomeTrackingEvent("seen", [EventParameter("id", id)])
        VendorEvent("braze", "seen", [EventParameter("id", id)])
    }
}

private struct Row: CoreTrackable {
    let id: String

    var services: [EventService] { AwesomeTrackingEvent("seen", [EventParameter("id", id)]) }
}
