import AdobeTracker
import AwesomeTracking
import BrazeTracker
import EventDelivery
import FirebaseTracking
import SumoTracker
import TrackingPlan

extension CheckedService {
    /// The services of the product in these tests.
    static func stubs() throws -> [CheckedService] {
        let firebase = try MeasurementProtocolConfiguration(firebaseAppID: "1:1:ios:1", apiSecret: Secret("none"))
        let rows = try ClickHouseConfiguration(endpoint: Endpoint("https://localhost"))
        let braze = try BrazeConfiguration(endpoint: Endpoint("https://localhost"), apiKey: Secret("none"))
        let adobe = try AdobeConfiguration(datastreamID: "none")
        let sumo = SumoConfiguration(endpoint: try Endpoint("https://localhost"))
        return [
            CheckedService(MeasurementProtocolDestination(product: "AC", configuration: firebase), rules: .appStream),
            CheckedService(ClickHouseDestination(product: "AC", configuration: rows)),
            CheckedService(BrazeDestination(product: "AC", configuration: braze), rules: .braze),
            CheckedService(AdobeDestination(product: "AC", configuration: adobe), rules: .adobe),
            CheckedService(SumoDestination(product: "AC", configuration: sumo)),
        ]
    }
}
