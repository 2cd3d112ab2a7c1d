import AwesomeTracking
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
    ///
    /// It rejects the same requests as the vendors' receivers, according to their documentation.
    init(_ arguments: Arguments, retention: LoopbackCollector.Retention) throws(DemoError) {
        services =
            VendorEntry.all.map(\.collectorService) + [.googleAnalytics, .firebase, arguments.awesomeFormat.collected]
        let collector: LoopbackCollector
        do {
            collector = try LoopbackCollector(
                port: arguments.inspection.port ?? 0,
                services: services,
                retention: retention,
                script: .strict(services)
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

    /// The events at the collector as lines of JSON, each with its service and its body as the receiver decodes it.
    var received: [String] {
        collected.flatMap { service in
            (collector?.events(of: service) ?? []).map { #"{"service":"\#(service.name)","body":\#($0.json)}"# }
        }
    }
}

/// The receiver, wire format and credentials for AwesomeTracking's events.
struct AwesomeReceiver: Sendable {
    /// A wire format of the service.
    enum Format: String, CaseIterable, Sendable {
        /// JSON rows, as accepted by ClickHouse and gateways.
        case ndjson
        /// Log records of OTLP/HTTP as JSON.
        case otlp

        /// The service by which the demo's receiver reads the format.
        var collected: CollectorService {
            switch self {
            case .ndjson: .awesomeTracking
            case .otlp: .awesomeTrackingByOTLP
            }
        }
    }

    /// The environment variable with the password.
    ///
    /// A command line could be read by other users.
    static let passwordVariable = "AWESOME_PASSWORD"
    /// The environment variable with the app's token for a gateway.
    static let tokenVariable = "AWESOME_TOKEN"

    /// The receiver's address.
    let endpoint: Endpoint
    /// The wire format.
    var format = Format.ndjson
    /// The user name, if the receiver requires one.
    var user: String?
    /// The password, if any.
    var password: Secret?
    /// The token, if the receiver is a gateway.
    var token: Secret?
    /// The supported features of the server.
    var server = ClickHouseConfiguration.Server.portable

    /// Returns the destination of a product's lane.
    func destination(product: String) throws(ConfigurationError) -> any Destination {
        guard format == .ndjson else {
            let authorization = token.map { Secret("Bearer \($0.value)") }
            let configuration = try OTLPConfiguration(
                endpoint: endpoint,
                authorization: authorization,
                appVersion: "1.0.0"
            )
            return OTLPDestination(product: product, configuration: configuration)
        }
        let configuration = try ClickHouseConfiguration(
            endpoint: endpoint,
            user: user,
            password: password,
            token: token,
            appVersion: "1.0.0",
            server: server
        )
        return ClickHouseDestination(product: product, configuration: configuration)
    }
}
