import AwesomeTracking
import EventDelivery
import LoopbackCollector

/// Where AwesomeTracking's events go, in which format, and who sends them.
struct AwesomeReceiver: Sendable {
    /// A wire format of the service.
    enum Format: String, CaseIterable, Sendable {
        /// Rows of JSON, as ClickHouse inserts them and gateways take them.
        case ndjson
        /// Log records of OTLP/HTTP in JSON.
        case otlp

        /// How the demo's own receiver reads it.
        var collected: CollectorService {
            switch self {
            case .ndjson: .awesomeTracking
            case .otlp: .awesomeTrackingByOTLP
            }
        }
    }

    /// The environment's variable that holds the password: a command line can be read by other users.
    static let passwordVariable = "AWESOME_PASSWORD"

    /// The receiver's address.
    let endpoint: Endpoint
    /// The wire format.
    var format = Format.ndjson
    /// The receiver's user; `nil` where it asks for none.
    var user: String?
    /// The user's password; `nil` for none.
    var password: Secret?

    /// The destination of a product's lane.
    func destination(product: String) throws(ConfigurationError) -> any Destination {
        guard format == .ndjson else {
            let configuration = try OTLPConfiguration(endpoint: endpoint, appVersion: "1.0.0")
            return OTLPDestination(product: product, configuration: configuration)
        }
        let configuration = try ClickHouseConfiguration(
            endpoint: endpoint,
            user: user,
            password: password,
            appVersion: "1.0.0"
        )
        return ClickHouseDestination(product: product, configuration: configuration)
    }
}
