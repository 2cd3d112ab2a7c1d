import AdobeTracker
import AwesomeTracking
import BrazeTracker
import CoreTracker
import DLCheckout
import DLListing
import DLProductDetail
import DLTracker
import EventDelivery
import FirebaseTracking
import SFGame
import SFLeaderboard
import SFTracker
import SumoTracker
import TYCheckout
import TYProductDetail
import TYTracker
import TrackingPlan

/// What the tracking plan of this repository is about.
enum Contents {
    /// The events of each module.
    static let catalogs: [EventCatalog] = [
        .dlListing, .dlProductDetail, .dlCheckout, .sfGame, .sfLeaderboard, .sfTracker, .tyProductDetail, .tyCheckout,
    ]

    /// The services of each product; nothing is sent, so addresses and credentials are made up.
    static func services() throws -> [CheckedService] {
        try Set(catalogs.map(\.product)).sorted().flatMap { try services(of: $0) }
    }

    /// The default parameters of a product's AwesomeTracking; their values depend on the moment.
    private static func defaults(of product: String) -> EventParameters {
        switch product {
        case "DL": DLSettings().defaults
        case "SF": SFSettings().defaults
        case "TY": TYSettings().defaults
        default: []
        }
    }

    private static func services(of product: String) throws -> [CheckedService] {
        let host = "https://localhost"
        let firebase = try MeasurementProtocolConfiguration(firebaseAppID: "1:1:ios:1", apiSecret: Secret("none"))
        return [
            CheckedService(
                MeasurementProtocolDestination(product: product, configuration: firebase),
                rules: firebase.rules
            ),
            CheckedService(
                ClickHouseDestination(
                    product: product,
                    configuration: try ClickHouseConfiguration(endpoint: Endpoint(host))
                ),
                defaults: defaults(of: product).map(\.key.name)
            ),
            CheckedService(
                AdobeDestination(product: product, configuration: try AdobeConfiguration(datastreamID: "none")),
                rules: .adobe
            ),
            CheckedService(
                BrazeDestination(
                    product: product,
                    configuration: try BrazeConfiguration(endpoint: host, apiKey: Secret("none"))
                ),
                rules: .braze
            ),
            CheckedService(
                SumoDestination(product: product, configuration: try SumoConfiguration(address: Secret(host)))
            ),
        ]
    }
}
