import AwesomeTracking
import EventDelivery

/// Where AwesomeTracking's events go, and who sends them.
struct AwesomeReceiver: Sendable {
    /// The environment's variable that holds the password: a command line can be read by other users.
    static let passwordVariable = "AWESOME_PASSWORD"

    /// The receiver's address.
    let endpoint: Endpoint
    /// The receiver's user; `nil` where it asks for none.
    var user: String?
    /// The user's password; `nil` for none.
    var password: Secret?

    /// The destination of a product's lane.
    func destination(product: String) throws(ConfigurationError) -> any Destination {
        let configuration = try ClickHouseConfiguration(
            endpoint: endpoint,
            user: user,
            password: password,
            appVersion: "1.0.0"
        )
        return ClickHouseDestination(product: product, configuration: configuration)
    }
}
