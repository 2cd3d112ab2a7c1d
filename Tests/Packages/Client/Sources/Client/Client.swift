import AwesomeTracking
import DLProductDetail
import DLTracker
import EventDelivery
import FirebaseTracking

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An app of Dolap Lite that stores one event in the directory of its first argument.
@main
enum Client {
    static func main() async throws {
        let nowhere = try Endpoint("http://127.0.0.1:9")
        let firebase = try FirebaseConfiguration(endpoint: nowhere, firebaseAppID: "1:1:ios:1", apiSecret: "s")
        let rows = try ClickHouseConfiguration(endpoint: nowhere)
        let configuration = DeliveryConfiguration(
            directory: URL(filePath: CommandLine.arguments[1]),
            destinations: [
                FirebaseDestination(product: "DL", configuration: firebase),
                ClickHouseDestination(product: "DL", configuration: rows),
            ]
        )
        try await DeliveryEngine.shared.open(configuration)
        DLTracker().track(DLProductViewed(product: DLProduct(id: "7", price: 35.79, currency: "TRY")))
        await DeliveryEngine.shared.storeBuffered()
    }
}
