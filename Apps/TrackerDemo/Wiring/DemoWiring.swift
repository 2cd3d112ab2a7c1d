import CoreTracker
import EventDelivery
import FirebaseTracking
import Foundation
import InspectorClient
import Locks
import SuperApp
import TYTracker

/// The wiring of the demo: the delivery engine that all trackers use, and its destinations.
///
/// `ProductEntry` and `VendorEntry` of SuperApp list the products and the vendors, and `Vendors` registers the vendors'
/// trackers. The journeys and the game use the defaults: the app opens `DeliveryEngine.shared`, and presenters are
/// created with only their model. A replay uses a separate engine, whose events have the times of the file's rows.
struct DemoWiring: Sendable {
    /// The time of a replay's events.
    let time = EventTime()
    /// The engine of all products.
    let engine: DeliveryEngine

    /// Creates the parts.
    ///
    /// Nothing is sent before ``open(queue:receivers:transport:inspector:)``.
    init(isReplay: Bool) {
        let time = time
        engine = isReplay ? DeliveryEngine(eventTime: { time.now }) : .shared
        // Run Dolap Lite in Türkiye and Trendyol in Germany to get different default parameters.
        TYSettings.current.update { $0.storefront = .germany }
    }

    /// Opens the engine with a lane for each product and service, and one for each vendor.
    ///
    /// It resumes lanes paused by an earlier run, because the receivers may have changed. With an inspector's link, it
    /// reports the engine's side of each delivery there.
    func open(
        queue: Queue,
        receivers: Receivers,
        transport: any Transport,
        inspector link: String? = nil
    ) async throws(DemoError) {
        do {
            var destinations: [any Destination] = []
            for product in ProductEntry.all.map(\.prefix) {
                destinations.append(try DemoWiring.firebase(product, receivers))
                destinations.append(try receivers.awesomeTracking.destination(product: product))
            }
            for vendor in VendorEntry.all {
                destinations.append(try vendor.destination(product: vendor.lane.product, at: receivers.vendors))
            }
            destinations.append(try AnalyticsFunnel.destination(at: receivers.vendors))
            var configuration = DeliveryConfiguration(
                directory: queue.directory,
                destinations: destinations,
                transport: transport
            )
            configuration.budget = DemoWiring.budget
            configuration.sessionTimeout = nil
            configuration.log = .custom { if $0.level == .warning { Console.warn("\($0)") } }
            if let link { configuration = try configuration.inspected(at: link, on: engine) }
            try await engine.open(configuration)
        } catch {
            throw .usage("\(error)")
        }
        await engine.resume()
    }

    /// A budget for a long clickstream without a receiver.
    ///
    /// Only the disk limits it.
    private static let budget = DeliveryBudget(
        events: 1_000_000_000,
        bytes: 1_000_000_000_000,
        age: .seconds(365 * 24 * 60 * 60)
    )

    /// Returns Firebase's destination.
    ///
    /// Only this function decides between the SDK and requests.
    private static func firebase(_ product: String, _ receivers: Receivers) throws(ConfigurationError)
        -> any Destination
    {
        if let sdk = receivers.firebaseSDK { return FirebaseSDKDestination(product: product, adapter: sdk) }
        let configuration = try FirebaseConfiguration(
            endpoint: receivers.firebase,
            firebaseAppID: "1:100000000001:ios:0d01a9117e000001",
            apiSecret: "demo"
        )
        return FirebaseDestination(product: product, configuration: configuration)
    }
}

/// The time of new events: the present, or the time of the replayed row.
final class EventTime: Sendable {
    private let replayed = Mutex<Timestamp?>(nil)
    private let clock = SystemClock()

    /// The time of an event tracked now.
    var now: Timestamp { replayed.withLock { $0 } ?? clock.wallTime() }

    /// Sets the time of later events.
    func set(_ time: Timestamp) {
        replayed.withLock { $0 = time }
    }
}
