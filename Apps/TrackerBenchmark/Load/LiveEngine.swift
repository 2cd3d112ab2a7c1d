import AwesomeTracking
import CoreTracker
import DLProductDetail
import DLTracker
import EventDelivery
import FirebaseTracking
import Foundation
import InspectorClient

/// A delivery engine with Dolap Lite's tracker, connected as in an app.
struct LiveEngine: Sendable {
    /// Large enough that no event is evicted.
    private static let budget = DeliveryBudget(events: 10_000_000, bytes: 10_000_000_000)

    let engine: DeliveryEngine
    let tracker: DLTracker
    /// A feature's tracker with the same services.
    let featureTracker: DLProductDetailTracker
    /// The numbers of unstored events at which producers stop and continue.
    ///
    /// With 64 producers that check after every 16 events of two deliveries each, the total stays below the engine's
    /// default capacity of 8,192.
    private let unstored: (most: Int, least: Int)

    /// Creates the parts.
    ///
    /// Nothing is stored before the engine is opened.
    init(capacity: Int = 8_192) {
        engine = DeliveryEngine(capacity: capacity)
        unstored = (capacity / 4 * 3, capacity / 2)
        tracker = DLTracker(on: engine, vendorService: LaneService(product: "DL", delivery: engine))
        featureTracker = DLProductDetailTracker(tracker)
    }

    /// Creates and opens an engine in a directory.
    init(
        in directory: String,
        destinations: [any Destination],
        transport: any Transport = ReceiverlessTransport(acknowledges: false),
        inspector: String? = nil
    ) async throws {
        self.init()
        try await open(in: directory, destinations: destinations, transport: transport, inspector: inspector)
    }

    /// Opens the engine in a directory.
    ///
    /// With an inspector's link, it reports all events there.
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

    /// Returns the destinations of Dolap Lite's two services, at an address without a receiver.
    static func destinations() throws -> [any Destination] { [try firebase(), try awesomeTracking()] }

    /// Returns the destination of a product's Firebase lane.
    ///
    /// - Parameter now: Returns the present, or `nil` to use the clock's time.
    static func firebase(now: (@Sendable () -> Timestamp)? = nil) throws -> MeasurementProtocolDestination {
        let configuration = try MeasurementProtocolConfiguration(
            endpoint: nowhere,
            firebaseAppID: "1:100000000001:ios:0d01a9117e000001",
            apiSecret: "benchmark"
        )
        return MeasurementProtocolDestination(product: "DL", configuration: configuration, now: now)
    }

    /// Returns the destination of a product's AwesomeTracking lane.
    ///
    /// The default address has no receiver.
    static func awesomeTracking(product: String = "DL", at receiver: Endpoint? = nil) throws -> ClickHouseDestination {
        let configuration = try ClickHouseConfiguration(endpoint: receiver ?? nowhere, appVersion: "1.0.0")
        return ClickHouseDestination(product: product, configuration: configuration)
    }

    private static var nowhere: Endpoint { get throws { try Endpoint("http://127.0.0.1:9") } }

    /// Tracks a number of events and waits until they are stored.
    ///
    /// - Returns: The time of each call.
    func burst(of tracker: some CoreTracker, calls: Int) -> Percentiles {
        var times = Percentiles(capacity: calls)
        for number in 0..<calls {
            let event = ShopEvent(number: number)
            times.addTime { tracker.track(event) }
        }
        waitUntilStored()
        return times
    }

    /// Waits for the writer if too many events are unstored.
    ///
    /// Otherwise the engine would drop events.
    func makeRoom() {
        guard engine.unstoredCount > unstored.most else { return }
        while engine.unstoredCount > unstored.least { usleep(100) }
    }

    /// Waits until all events are stored, without a barrier.
    func waitUntilStored() {
        while engine.unstoredCount > 0 { usleep(100) }
    }

    /// Tracks events as fast as they are stored.
    func track(_ numbers: Range<Int>) {
        for number in numbers {
            tracker.track(ShopEvent(number: number))
            if number.isMultiple(of: 16) { makeRoom() }
        }
    }

    /// Returns the number of dropped and quarantined events of all lanes.
    ///
    /// A figure with any of them is void.
    func lossCount() async -> Int {
        await engine.statistics().reduce(0) { $0 + $1.ledger.droppedTotal + $1.ledger.quarantined }
    }

    /// Returns the number of delivered events of all lanes.
    func deliveredCount() async -> Int {
        await engine.statistics().reduce(0) { $0 + $1.ledger.delivered }
    }
}
