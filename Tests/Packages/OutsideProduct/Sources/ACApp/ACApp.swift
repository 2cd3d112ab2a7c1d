import ACBasket
import ACTracker
import AwesomeTracking
import CoreTracker
import EventDelivery
import FirebaseTracking
import Foundation
import LoopbackCollector

/// Acme's app, which checks that the events of its presenter arrive at a collector.
@main
enum ACApp {
    /// The events did not arrive as they were tracked.
    struct NotDelivered: Error {
        let arrived: [String]
    }

    static func main() async throws {
        if let link = ProcessInfo.processInfo.environment["INSPECTOR_LINK"] { return try await runInspected(at: link) }
        let collector = try LoopbackCollector()
        let firebase = try FirebaseConfiguration(
            endpoint: collector.url,
            firebaseAppID: "1:1:ios:1",
            apiSecret: "s"
        )
        let rows = try ClickHouseConfiguration(endpoint: collector.url)
        let configuration = DeliveryConfiguration(
            directory: URL.temporaryDirectory.appending(path: "events-\(UUID().uuidString)"),
            destinations: [
                FirebaseDestination(product: "AC", configuration: firebase),
                ClickHouseDestination(product: "AC", configuration: rows),
            ]
        )
        try await DeliveryEngine.shared.open(configuration)

        ACBasketPresenter(count: 2).appear()
        ACSettings.current.update { $0.country = "AZ" }
        ACBasketPresenter(count: 3).appear()
        let report = await DeliveryEngine.shared.close(timeout: .seconds(10))
        collector.close()

        let viewed = collector.events(of: .firebase).map(\.name)
        let opened = collector.events(of: .awesomeTracking).map { "\($0.name) \($0.json["props"]?.string ?? "")" }
        let expected = ["TR", "AZ"].enumerated().map { index, country in
            #"basket_opened {"count":\#(index + 2),"country":"\#(country)","screen":"basket"}"#
        }
        guard report.isDrained, viewed == ["view_cart", "view_cart"], opened == expected else {
            throw NotDelivered(arrived: viewed + opened)
        }
    }
}
