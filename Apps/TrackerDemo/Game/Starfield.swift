import EventDelivery
import FirebaseTracking

/// Starfield's lanes in the demo.
enum Starfield {
    /// The product's prefix.
    static let product = "SF"

    /// The product's lanes.
    static func destinations(_ receivers: Receivers) throws(ConfigurationError) -> [any Destination] {
        let firebase = try MeasurementProtocolConfiguration(
            endpoint: receivers.firebase,
            firebaseAppID: "1:100000000003:ios:5f57a2f1e1d00003",
            apiSecret: "demo"
        )
        return [
            MeasurementProtocolDestination(product: product, configuration: firebase),
            try receivers.awesomeTracking.destination(product: product),
        ]
    }
}
