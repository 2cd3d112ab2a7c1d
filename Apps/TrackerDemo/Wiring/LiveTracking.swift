import CoreTracker
import EventDelivery
import FirebaseTracking
import Foundation
import InspectorClient
import SuperApp
import TYTracker

/// The live parts: the delivery engine that all trackers use, and what it tells.
///
/// The journeys and the game go the default way: the app opens `DeliveryEngine.shared`, and presenters are made with
/// nothing but their model. A replay has an engine of its own, whose events happen at the times of the file's rows.
struct LiveTracking: Sendable {
    /// The time of a replay's events.
    let time = EventTime()
    /// The engine under all products.
    let engine: DeliveryEngine
    /// What the engine tells.
    let news: EngineNews

    /// Makes the parts; nothing is sent before ``open(queue:receivers:transport:inspector:)``.
    init(isReplay: Bool) {
        let time = time
        engine = isReplay ? DeliveryEngine(eventTime: { time.now }) : .shared
        news = EngineNews(engine.diagnostics())
        // Dolap Lite runs in Türkiye and Trendyol in Germany, so that their default parameters differ.
        TYSettings.current.update { $0.storefront = .germany }
    }

    /// Opens the engine on a queue, with a lane for each product and service, and one for each vendor.
    ///
    /// Pauses that an earlier run has left are ended, because its receivers may have been others. With an inspector's
    /// link, the engine's side of each delivery is reported there.
    func open(
        queue: Queue,
        receivers: Receivers,
        transport: any Transport,
        inspector link: String? = nil
    ) async throws(DemoError) {
        do throws(ConfigurationError) {
            var destinations: [any Destination] = []
            for product in ProductEntry.all.map(\.prefix) {
                destinations.append(try LiveTracking.firebase(product, receivers))
                destinations.append(try receivers.awesomeTracking.destination(product: product))
            }
            for vendor in VendorEntry.all {
                destinations.append(try vendor.destination(product: vendor.lane.product, at: receivers.vendors))
            }
            destinations.append(try AnalyticsFunnel.destination(at: receivers.vendors))
            var configuration = DeliveryConfiguration(
                directory: queue.directory,
                destinations: destinations,
                transport: transport,
                budget: LiveTracking.budget,
                sessionTimeout: nil
            )
            if let link { configuration = try configuration.inspected(at: link, of: engine) }
            try await engine.open(configuration)
        } catch {
            throw .usage("\(error)")
        }
        await engine.resume()
    }

    /// As much as a long clickstream needs without a receiver; the disk is the limit.
    private static let budget = DeliveryBudget(
        events: 1_000_000_000,
        bytes: 1_000_000_000_000,
        age: .seconds(365 * 24 * 60 * 60)
    )

    /// Firebase by its SDK or by requests: this is the one place that knows which.
    private static func firebase(_ product: String, _ receivers: Receivers) throws(ConfigurationError)
        -> any Destination
    {
        if let sdk = receivers.firebaseSDK { return FirebaseSDKDestination(product: product, adapter: sdk) }
        let configuration = try MeasurementProtocolConfiguration(
            endpoint: receivers.firebase,
            firebaseAppID: "1:100000000001:ios:0d01a9117e000001",
            apiSecret: "demo"
        )
        return MeasurementProtocolDestination(product: product, configuration: configuration)
    }
}
