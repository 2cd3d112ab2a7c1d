import EventDelivery
import Foundation
import LoopbackCollector
import SuperApp

/// The receivers of all services: the user's endpoints or the demo's collector.
struct Receivers: Sendable {
    /// The address of Firebase's receiver.
    let firebase: Endpoint
    /// The SDK stand-in for Firebase's events, or `nil` if they are sent.
    let firebaseSDK: FirebaseSDKStandIn?
    /// AwesomeTracking's receiver.
    let awesomeTracking: AwesomeReceiver
    /// The address of the vendors' receiver, which is always the demo's collector.
    let vendors: Endpoint
    /// The demo's collector, if it is used.
    let collector: LoopbackCollector?
    /// The services by which the collector reads requests.
    let services: [CollectorService]
    /// The services whose events go to the collector.
    let collected: [CollectorService]

    /// Starts the collector if it is needed.
    init(_ arguments: Arguments, retention: LoopbackCollector.Retention) throws(DemoError) {
        services =
            VendorEntry.all.map(\.collectorService) + [.googleAnalytics, .firebase, arguments.awesomeFormat.collected]
        let collector: LoopbackCollector
        do {
            collector = try LoopbackCollector(
                port: arguments.inspection.port ?? 0,
                services: services,
                retention: retention
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
            password: arguments.awesomeUser.map { _ in Receivers.secret(AwesomeReceiver.passwordVariable) ?? "" },
            token: arguments.awesomeEndpoint.flatMap { _ in Receivers.secret(AwesomeReceiver.tokenVariable) },
            server: arguments.awesomeServer
        )
        vendors = own
        if arguments.isOffline {
            // The port was just free, so requests to it fail.
            collector.close()
            collected = []
        } else {
            collected =
                (arguments.firebaseEndpoint == nil && firebaseSDK == nil ? [.firebase] : [])
                + (arguments.awesomeEndpoint == nil ? [arguments.awesomeFormat.collected] : [])
                + VendorEntry.all.map(\.collectorService) + [.googleAnalytics]
        }
        self.collector = collected.isEmpty ? nil : collector
    }

    /// Returns a secret from the environment, or `nil` if it is empty.
    private static func secret(_ variable: String) -> Secret? {
        ProcessInfo.processInfo.environment[variable].flatMap { $0.isEmpty ? nil : Secret($0) }
    }

    /// The number of unique events at the collector, by service.
    var arrived: [(service: String, events: Int)] {
        guard let tally = collector?.tally else { return [] }
        return collected.map { (service: $0.name, events: tally.service($0).uniqueEvents) }
    }
}
