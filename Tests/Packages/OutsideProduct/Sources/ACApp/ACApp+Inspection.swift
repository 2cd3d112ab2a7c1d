import ACBasket
import AwesomeTracking
import EventDelivery
import FirebaseTracking
import Foundation
import InspectorClient

extension ACApp {
    /// Tracks two baskets with an inspector, and ends with its standard input.
    ///
    /// The inspector is also the receiver, so no event leaves this machine.
    static func runInspected(at link: String) async throws {
        let receiver = try Endpoint(String(link.prefix { $0 != "?" }))
        let firebase = try FirebaseConfiguration(
            endpoint: receiver,
            firebaseAppID: "1:1:ios:1",
            apiSecret: "s"
        )
        let rows = try ClickHouseConfiguration(endpoint: receiver)
        let configuration = DeliveryConfiguration(
            directory: URL.temporaryDirectory.appending(path: "events-\(UUID().uuidString)"),
            destinations: [
                FirebaseDestination(product: "AC", configuration: firebase),
                ClickHouseDestination(product: "AC", configuration: rows),
            ]
        )
        try await open(configuration, inspectedAt: link)
        await ACBasketPresenter(count: 2).appear()
        await ACBasketPresenter(count: 3).appear()
        while readLine() != nil {}
        await DeliveryEngine.shared.close(timeout: .seconds(5))
    }

    /// Opens the engine, with an inspector if there is a link to one.
    static func open(_ configuration: DeliveryConfiguration, inspectedAt link: String?) async throws {
        var configuration = configuration
        if let link { configuration = try configuration.inspected(at: link) }
        try await DeliveryEngine.shared.open(configuration)
    }
}
