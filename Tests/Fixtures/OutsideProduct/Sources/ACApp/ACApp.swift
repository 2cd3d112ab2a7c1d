import ACBasket
import ACTracker
import AwesomeTracking
import CoreTracker
import EventDelivery
import FirebaseTracking
import Foundation
import LoopbackCollector

/// Acme's app, with a collector of its own as the receiver: what its presenter tracks arrives.
@main
enum ACApp {
    /// The events did not arrive as they were tracked.
    struct NotDelivered: Error {
        let arrived: [String]
    }

    static func main() async throws {
        let collector = try LoopbackCollector(services: [.firebase, .awesomeTracking])
        defer { collector.close() }
        try await startUp(Endpoint(collector.url + "/mp/collect"), Endpoint(collector.url))

        ACBasketPresenter(count: 2).appear()
        ACSettings.current.update { $0.country = "AZ" }
        ACBasketPresenter(count: 3).appear()
        let report = await DeliveryEngine.shared.close(deadline: .seconds(10))

        let firebase = collector.events(of: .firebase).map(\.name)
        let rows = collector.events(of: .awesomeTracking).map { "\($0.name) \($0.json["props"]?.string ?? "")" }
        let expected = ["TR", "AZ"].enumerated().map { index, country in
            #"basket_opened {"count":\#(index + 2),"country":"\#(country)","screen":"basket"}"#
        }
        guard report.isDrained, firebase == ["view_cart", "view_cart"], rows == expected else {
            throw NotDelivered(arrived: firebase + rows)
        }
    }

    /// Opens the engine that all trackers use by default.
    static func startUp(_ ga4: Endpoint, _ clickHouse: Endpoint) async throws {
        let firebase = try MeasurementProtocolConfiguration(endpoint: ga4, firebaseAppID: "1:1:ios:1", apiSecret: "s")
        let rows = try ClickHouseConfiguration(endpoint: clickHouse)
        let configuration = DeliveryConfiguration(
            directory: URL.temporaryDirectory.appending(path: "events-\(UUID().uuidString)"),
            destinations: [
                MeasurementProtocolDestination(product: "AC", configuration: firebase),
                ClickHouseDestination(product: "AC", configuration: rows),
            ]
        )
        try await DeliveryEngine.shared.open(configuration)
    }
}
