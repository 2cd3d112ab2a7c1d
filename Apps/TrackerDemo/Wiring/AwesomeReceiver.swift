import AwesomeTracking
import EventDelivery
import LoopbackCollector

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
    /// The features that the server supports.
    var server = ClickHouseConfiguration.Server.portable

    /// Returns the destination of a product's lane.
    func destination(product: String) throws(ConfigurationError) -> any Destination {
        guard format == .ndjson else {
            let configuration = try OTLPConfiguration(endpoint: endpoint, appVersion: "1.0.0")
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
