import AdobeTracker
import AwesomeTracking
import BrazeTracker
import EventDelivery
import FirebaseTracking
import GoogleAnalytics
import SumoTracker

/// The destinations of the six services.
enum SixServices {
    static func destinations() throws -> [any Destination] {
        let endpoint = try Endpoint("https://receiver.example")
        return [
            ClickHouseDestination(product: "DL", configuration: try ClickHouseConfiguration(endpoint: endpoint)),
            FirebaseDestination(
                product: "DL",
                configuration: try FirebaseConfiguration(endpoint: endpoint, firebaseAppID: "1:1:ios:1", apiSecret: "s")
            ),
            GoogleAnalyticsDestination(
                product: "DL",
                configuration: try GoogleAnalyticsConfiguration(
                    measurementID: "G-ABC1234567",
                    apiSecret: "s",
                    endpoint: endpoint
                )
            ),
            AdobeDestination(product: "DL", configuration: try AdobeConfiguration(datastreamID: "d-1")),
            BrazeDestination(product: "DL", configuration: try BrazeConfiguration(endpoint: endpoint, apiKey: "k-1")),
            SumoDestination(product: "DL", configuration: SumoConfiguration(endpoint: endpoint)),
        ]
    }
}
