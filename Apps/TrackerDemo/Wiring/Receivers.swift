import EventDelivery
import Foundation
import LoopbackCollector
import SuperApp

/// Where the services' events go: to the user's end points, or else to a collector of the demo's own.
struct Receivers: Sendable {
    /// The address of Firebase's receiver.
    let firebase: Endpoint
    /// What Firebase's events are handed to instead; `nil` where they are sent.
    let firebaseSDK: FirebaseSDKStandIn?
    /// AwesomeTracking's receiver.
    let awesomeTracking: AwesomeReceiver
    /// The address of the vendors' receiver, which is always the demo's own.
    let vendors: Endpoint
    /// The demo's own receiver; `nil` where it has none.
    let collector: LoopbackCollector?
    /// How the demo's own receiver reads requests.
    let services: [CollectorService]
    /// The services that the demo's own receiver serves.
    let collected: [CollectorService]

    /// Starts what is needed.
    init(_ arguments: Arguments, keeps keeping: LoopbackCollector.Keeping) throws(DemoError) {
        services = VendorEntry.all.map(\.collected) + [.googleAnalytics, .firebase, arguments.awesomeFormat.collected]
        let collector: LoopbackCollector
        do {
            collector = try LoopbackCollector(
                port: arguments.inspection.port ?? 0,
                services: services,
                keeps: keeping
            )
        } catch {
            throw DemoError("the collector cannot be started: \(error)", code: .unavailable)
        }
        let own = collector.url
        firebase = arguments.firebaseEndpoint ?? own
        firebaseSDK = arguments.usesFirebaseSDK ? FirebaseSDKStandIn() : nil
        awesomeTracking = AwesomeReceiver(
            endpoint: arguments.awesomeEndpoint ?? own,
            format: arguments.awesomeFormat,
            user: arguments.awesomeUser,
            password: arguments.awesomeUser.map { _ in Receivers.password }
        )
        vendors = own
        if arguments.isOffline {
            // Its port was free a moment ago, and nobody listens there now.
            collector.close()
            collected = []
        } else {
            collected =
                (arguments.firebaseEndpoint == nil && firebaseSDK == nil ? [.firebase] : [])
                + (arguments.awesomeEndpoint == nil ? [arguments.awesomeFormat.collected] : [])
                + VendorEntry.all.map(\.collected) + [.googleAnalytics]
        }
        self.collector = collected.isEmpty ? nil : collector
    }

    /// The password of the environment; empty where it holds none.
    private static var password: Secret {
        Secret(ProcessInfo.processInfo.environment[AwesomeReceiver.passwordVariable] ?? "")
    }

    /// How many different events of each served service have arrived.
    var arrived: [(service: String, events: Int)] {
        guard let tally = collector?.tally else { return [] }
        return collected.map { (service: $0.name, events: tally.service($0).uniqueEvents) }
    }
}
