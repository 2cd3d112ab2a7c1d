import AwesomeTracking
import CoreTracker
import DLProductDetail
import DLTracker
import EventDelivery
import FirebaseTracking
import Foundation
import InspectorClient
import Locks

/// A delivery engine with Dolap Lite's tracker, connected as in an app.
struct LiveEngine: Sendable {
    /// Large enough that no event is evicted.
    static let budget = DeliveryBudget(events: 10_000_000, bytes: 10_000_000_000)

    let engine: DeliveryEngine
    let tracker: DLTracker
    /// A feature's tracker with the same services.
    let featureTracker: DLProductDetailTracker
    /// The counts of unstored events at which producers stop and continue.
    ///
    /// With 64 producers that check after every 16 events of two deliveries each, the total stays within the 7,168
    /// events of normal priority that the engine's default capacity of 8,192 allows.
    private let unstored: (most: Int, least: Int)

    /// Creates the parts.
    ///
    /// Nothing is stored before the engine is opened.
    init(capacity: Int = 8_192) {
        self.init(DeliveryEngine(capacity: capacity), capacity: capacity)
    }

    /// Creates the parts for an engine with a capacity.
    init(_ engine: DeliveryEngine, capacity: Int = 8_192) {
        self.engine = engine
        unstored = (capacity / 8 * 5, capacity / 2)
        tracker = DLTracker(on: engine, vendorService: LaneService(product: "DL", on: engine))
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
        schedule: SendingSchedule = .standard,
        budget: DeliveryBudget = LiveEngine.budget,
        inspector: String? = nil,
        middleware: [any EventMiddleware] = []
    ) async throws {
        var configuration = DeliveryConfiguration(
            directory: URL(filePath: directory),
            destinations: destinations,
            transport: transport
        )
        configuration.schedule = schedule
        configuration.budget = budget
        configuration.middleware = middleware
        configuration.log = LiveEngine.log
        if let inspector { configuration = try configuration.inspected(at: inspector, on: engine) }
        try await engine.open(configuration)
    }

    /// A log with the cost of the default one, without its output.
    static let log = DeliveryLog.custom { _ in }

    /// Returns the destinations of Dolap Lite's two services, at an address without a receiver.
    static func destinations() throws -> [any Destination] { [try firebase(), try awesomeTracking()] }

    /// Returns the destination of a product's Firebase lane.
    ///
    /// - Parameter receiver: The receiver, or `nil` to use an address without one.
    static func firebase(at receiver: Endpoint? = nil) throws -> FirebaseDestination {
        let configuration = try FirebaseConfiguration(
            endpoint: receiver ?? nowhere,
            firebaseAppID: "1:100000000001:ios:0d01a9117e000001",
            apiSecret: "benchmark"
        )
        return FirebaseDestination(product: "DL", configuration: configuration)
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

    /// Returns the size in bytes of the queue file in a directory.
    static func fileSize(in directory: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(directory)/queue.db")
        return attributes[.size] as? Int ?? 0
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

/// A transport without a network that responds at once, after a delay, or never.
struct ReceiverlessTransport: Transport {
    /// Whether requests are acknowledged.
    ///
    /// Otherwise they never end, as if offline.
    let acknowledges: Bool
    /// The duration of a request.
    var delay: Duration = .zero

    func send(_ request: HTTPRequest, timeout: Duration) async throws(TransportError) -> HTTPResponse {
        if acknowledges {
            if delay > .zero { try? await Task.sleep(for: delay) }
            return HTTPResponse(status: 200)
        }
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
        throw .cancelled
    }
}

/// A destination wrapper that reports each stored event in order, with the size of its body.
struct WatchedDestination: DestinationWrapper {
    let base: any Destination
    private let watch: @Sendable (OutgoingEvent, Int) -> Void

    /// Wraps a destination.
    ///
    /// The writer's queue calls `watch` once for each event.
    init(_ base: any Destination, _ watch: @escaping @Sendable (OutgoingEvent, Int) -> Void) {
        self.base = base
        self.watch = watch
    }

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        try base.encode(event, into: &encoder)
        watch(event, encoder.byteCount)
    }
}

/// A check that each thread's events are stored completely and in order.
final class OrderCheck: Sendable {
    private struct State {
        var next: [Int: Int] = [:]
        var disorder = 0
    }

    private let lanes: Int
    private let state = Mutex(State())

    /// Creates a check for events that each go to a number of lanes.
    init(lanes: Int) {
        self.lanes = lanes
    }

    /// Records an event as it is stored.
    ///
    /// Ignores events without the parameters `thread` and `number`.
    func record(_ event: OutgoingEvent) {
        guard case .int(let thread) = event.parameters["thread"], case .int(let number) = event.parameters["number"]
        else { return }
        // Count each lane of a thread separately. Only one lane has default parameters.
        let key = thread * 2 + (event.defaults.isEmpty ? 0 : 1)
        state.withLock { state in
            if state.next[key, default: 0] != number { state.disorder += 1 }
            state.next[key] = number + 1
        }
    }

    /// Returns the fault if the stored events of each thread are not complete and in order.
    func fault(expected: Int, threads: Int) -> String? {
        state.withLock { state in
            if state.disorder > 0 { return "\(state.disorder) events are out of order" }
            let isWhole = state.next.count == threads * lanes && state.next.values.allSatisfy { $0 == expected }
            return isWhole ? nil : "events are missing"
        }
    }
}
