import AppTracking
import AwesomeTracking
import DLProductDetail
import DLTracker
import EventDelivery
import FirebaseTracking
import Foundation

/// Starts an app of Dolap Lite, and shows a product.
@MainActor
func startUp(in directory: URL, _ product: DLProduct) async throws {
    let firebase = try FirebaseConfiguration(firebaseAppID: "1:1:ios:1", apiSecret: "s")
    let rows = try ClickHouseConfiguration(endpoint: Endpoint("https://rows.example"))
    let configuration = DeliveryConfiguration(
        directory: directory,
        destinations: [
            FirebaseDestination(product: "DL", configuration: firebase),
            ClickHouseDestination(product: "DL", configuration: rows),
        ]
    )
    try await DeliveryEngine.shared.open(configuration)
    DLSettings.current.update { $0.storefront = .azerbaijan }
    DLProductDetailPresenter(product: product).appear()
}

// A background task, whose isolation is spelled because these settings differ.
nonisolated struct PlainTask: BackgroundTask {
    func run(_ work: nonisolated(nonsending) @escaping @Sendable () async -> Void) { Task { await work() } }
}
