import AwesomeTracking
import CoreTracker
import EventDelivery
import FirebaseTracking
import SuperApp
import TrackingPlan

extension CheckedService {
    /// Returns the services of every product.
    ///
    /// Addresses and credentials are placeholders, because nothing is sent.
    static func all() throws(ConfigurationError) -> [CheckedService] {
        var services: [CheckedService] = []
        for product in ProductEntry.all { services += try all(of: product) }
        return services
    }

    private static func all(of product: ProductEntry) throws(ConfigurationError) -> [CheckedService] {
        let receiver = try Endpoint("https://localhost")
        let firebase = try MeasurementProtocolConfiguration(firebaseAppID: "1:1:ios:1", apiSecret: Secret("none"))
        let rows = try ClickHouseConfiguration(endpoint: receiver)
        var services = [
            CheckedService(
                MeasurementProtocolDestination(product: product.prefix, configuration: firebase),
                rules: firebase.rules
            ),
            CheckedService(
                ClickHouseDestination(product: product.prefix, configuration: rows),
                defaults: product.defaults.map(\.name)
            ),
        ]
        for vendor in VendorEntry.all {
            let destination = try vendor.destination(product: product.prefix, at: receiver)
            services.append(CheckedService(destination, rules: vendor.rules))
        }
        return services
    }
}
