import CoreTracker
import EventDelivery
import EventDeliveryTesting
import MultiTracker

/// Runs the vendor: its events arrive, and its destination keeps the contract that the library's own keep.
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
        store.register(OutsideTracker(delivery: engine))
        let tracker = Tracker(trackerStore: store)

        tracker.trackWish(item: "9002")
        tracker.track(VendorEvent(.outside, "signed_up"))
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [OutsideDestination()], transport: transport)
        )
        let report = await engine.flush(deadline: .seconds(5))

        let bodies = transport.requests.map { String(decoding: $0.body, as: UTF8.self) }
        guard report.isDrained, bodies.joined().contains("\"wish\""), bodies.joined().contains("\"signed_up\"") else {
            throw NotDelivered(bodies: bodies)
        }
        try await contract.check()
        try await deliverBySDK()
    }

    /// Delivers an event by the vendor's SDK, with its id and time as two more parameters.
    @MainActor
    private static func deliverBySDK() async throws {
        let engine = DeliveryEngine()
        OutsideTracker(delivery: engine).trackWish(item: "9002")
        OutsideSDK.isStarted = true
        try await engine.open(DeliveryConfiguration(directory: nil, destinations: [OutsideSDKDestination()]))
        let report = await engine.close(deadline: .seconds(5))
        guard report.isDrained, OutsideSDK.logged == ["wish 3"] else { throw NotDelivered(bodies: OutsideSDK.logged) }
    }

    private static var contract: DestinationContract {
        let golden = #"{"id":"01950000-0000-7000-8000-000000000001","event":"play_start","properties":{}}"#
        return DestinationContract(
            OutsideDestination(),
            bodies: [.init("one event", of: [.stub()], is: golden)],
            statuses: [200: .delivered, 401: .paused(.credentials), 503: .retry(after: nil)],
            tracker: { OutsideTracker(delivery: $0) }
        )
    }
}
