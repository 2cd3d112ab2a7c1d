import AwesomeTracking
import EventDelivery
import FirebaseTracking
import Foundation
import TYTracker

/// Returns where the app's events are stored, and where they are sent after the user has agreed.
///
/// A gateway adds the secrets of the services, because anybody can read the binary of an app.
func makeConfiguration(
    in folder: URL = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0],
    gateway: String = "https://gateway.example"
) throws -> DeliveryConfiguration {
    let gateway = try Endpoint(gateway)
    let firebase = try FirebaseConfiguration(endpoint: gateway, firebaseAppID: "1:1:ios:1", apiSecret: "gateway")
    let rows = try ClickHouseConfiguration(endpoint: gateway, schema: TYTracker.planNumber)
    return DeliveryConfiguration(
        directory: folder.appending(path: "events"),
        destinations: [
            FirebaseDestination(product: "TY", configuration: firebase),
            ClickHouseDestination(product: "TY", configuration: rows),
        ],
        defaultConsent: .unknown
    )
}
