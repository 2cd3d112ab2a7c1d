import AwesomeTracking
import CoreTracker
import DLProductDetail
import DLTracker
import EventDelivery
import FirebaseTracking
import Foundation
import InspectorClient

/// A delivery engine as an app wires it, with Dolap Lite's tracker on it.
struct LiveEngine: Sendable {
    /// As much as the figures need: nothing is evicted.
    private static let budget = DeliveryBudget(events: 10_000_000, bytes: 10_000_000_000)

    let engine: DeliveryEngine
    let tracker: DLTracker
    /// A feature's tracker over the same services.
    let featureTracker: DLProductDetailTracker
    /// The unstored events at which producers wait, and at which they go on: 64 of them that look at each sixteenth
    /// event of two deliveries stay below the 8,192 that the engine holds by default.
    private let unstored: (most: Int, least: Int)

    /// Makes the parts; nothing is stored before it is opened.
    init(capacity: Int = 8_192) {
        engine = DeliveryEngine(capacity: capacity)
        unstored = (capacity / 4 * 3, capacity / 2)
        tracker = DLTracker(on: engine, vendorService: LaneService(product: "DL", delivery: engine))
        featureTracker = DLProductDetailTracker(tracker)
    }

    /// Makes and opens an engine in a directory.
    init(
        in directory: String,
        destinations: [any Destination],
        transport: any Transport = ReceiverlessTransport(acknowledges: false),
        inspector: String? = nil
    ) async throws {
        self.init()
        try await open(in: directory, destinations: destinations, transport: transport, inspector: inspector)
    }

    /// Opens the engine in a directory; with an inspector's link it is told of all that passes.
    func open(
        in directory: String,
        destinations: [any Destination],
        transport: any Transport,
        inspector: String? = nil
    ) async throws {
        var configuration = DeliveryConfiguration(
            directory: URL(filePath: directory),
            destinations: destinations,
            transport: transport,
            budget: LiveEngine.budget
        )
        if let inspector { configuration = try configuration.inspected(at: inspector, of: engine) }
        try await engine.open(configuration)
    }

    /// The destinations of Dolap Lite's two services, at an address where nothing listens.
    static func destinations() throws -> [any Destination] { [try firebase(), try awesomeTracking()] }

    /// The destination of a product's Firebase lane.
    ///
    /// `now` is what it takes for the present; `nil` for the clock's time.
    static func firebase(now: (@Sendable () -> Timestamp)? = nil) throws -> MeasurementProtocolDestination {
        let configuration = try MeasurementProtocolConfiguration(
            endpoint: nowhere,
            firebaseAppID: "1:100000000001:ios:0d01a9117e000001",
            apiSecret: "benchmark"
        )
        return MeasurementProtocolDestination(product: "DL", configuration: configuration, now: now)
    }

    /// The destination of a product's AwesomeTracking lane; without a receiver, at an address where nothing listens.
    static func awesomeTracking(product: String = "DL", at receiver: Endpoint? = nil) throws -> ClickHouseDestination {
        let configuration = try ClickHouseConfiguration(endpoint: receiver ?? nowhere, appVersion: "1.0.0")
        return ClickHouseDestination(product: product, configuration: configuration)
    }

    private static var nowhere: Endpoint { get throws { try Endpoint("http://127.0.0.1:9") } }

    /// Tracks a number of events by a tracker, waits until they are stored, and returns what each call took.
    func burst(of tracker: some CoreTracker, calls: Int) -> Percentiles {
        var times = Percentiles(capacity: calls)
        for number in 0..<calls {
            let event = ShopEvent(number: number)
            times.addTime { tracker.track(event) }
        }
        waitUntilStored()
        return times
    }

    /// Lets the writer catch up where too much is unstored; the engine would drop what it has no room for.
    func makeRoom() {
        guard engine.unstoredCount > unstored.most else { return }
        while engine.unstoredCount > unstored.least { usleep(100) }
    }

    /// Waits until everything is stored, without asking for a barrier.
    func waitUntilStored() {
        while engine.unstoredCount > 0 { usleep(100) }
    }

    /// Tracks events by the tracker as fast as they are stored.
    func track(_ numbers: Range<Int>) {
        for number in numbers {
            tracker.track(ShopEvent(number: number))
            if number.isMultiple(of: 16) { makeRoom() }
        }
    }

    /// The events of all lanes that have been lost or put aside; a figure during which there are any is void.
    func lossCount() async -> Int {
        await engine.statistics().reduce(0) { $0 + $1.ledger.droppedTotal + $1.ledger.quarantined }
    }

    /// The events of all lanes that have been delivered.
    func deliveredCount() async -> Int {
        await engine.statistics().reduce(0) { $0 + $1.ledger.delivered }
    }
}
