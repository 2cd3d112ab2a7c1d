import CoreTracker
import EventDelivery
import EventDeliveryTesting
import MultiTracker
import OutsideTracker

/// Runs the vendor, whose events must arrive by requests and by an SDK.
@main
enum OutsideVendor {
    /// The vendor's events did not arrive.
    struct NotDelivered: Error {
        let bodies: [String]
    }

    static func main() async throws {
        let transport = ScriptedTransport()
        let engine = DeliveryEngine(clock: TestClock())
        let store = TrackerStore()
        store.register(OutsideTracker(product: "DL", on: engine))
        let tracker = Tracker(trackerStore: store)

        tracker.trackWish(item: "9002")
        tracker.track(VendorEvent(.outside, "signed_up"))
        let endpoint = try Endpoint("https://outside.example/events")
        let destination = try OutsideDestination(product: "DL", endpoint: endpoint, key: "k-1")
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport)
        )
        let report = await engine.flush(timeout: .seconds(5))

        let bodies = transport.requests.map { String(decoding: $0.body, as: UTF8.self) }
        guard report.isDrained, bodies.joined().contains("\"wish\""), bodies.joined().contains("\"signed_up\"") else {
            throw NotDelivered(bodies: bodies)
        }
        try await deliverBySDK()
    }

    /// Delivers an event by the vendor's SDK, with its id and time as two more parameters.
    @MainActor
    private static func deliverBySDK() async throws {
        let engine = DeliveryEngine()
        OutsideTracker(product: "DL", on: engine).trackWish(item: "9002")
        OutsideSDK.isStarted = true
        try await engine.open(DeliveryConfiguration(directory: nil, destinations: [OutsideSDKDestination()]))
        let report = await engine.close(timeout: .seconds(5))
        guard report.isDrained, OutsideSDK.logged == ["wish 3"] else { throw NotDelivered(bodies: OutsideSDK.logged) }
    }
}
