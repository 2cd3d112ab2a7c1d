import CoreTracker
import EventDelivery
import Foundation
import GoogleAnalytics

/// Google Analytics as Dolap Lite's app uses it: the steps of the shopping journey, by a web stream.
struct Steps: Sendable {
    /// The lane of the steps.
    static let lane = LaneID.googleAnalytics(product: Product.dolapLite.rawValue)

    /// What takes the steps.
    let service: any AnalyticsService

    /// Makes the service on an engine; the app says how names are sent.
    init(on engine: DeliveryEngine, names: GoogleAnalyticsService.NameStyle) {
        let adapter = LaneAdapter(product: Steps.lane.product, delivery: engine) { ["channel": "app"] }
        service = GoogleAnalyticsService(adapter: adapter, names: names)
    }

    /// Tells the steps of the way from a list to an order.
    func run() {
        service.send(event: .listOpened(products: 3))
        service.send(event: .productOpened(id: "9002", isUsed: true))
        service.send(event: .orderPlaced(itemCount: 1))
    }

    /// The destination of the lane.
    static func destination(at receiver: Endpoint) throws(ConfigurationError) -> any Destination {
        let stream = try WebStreamConfiguration(
            measurementID: "G-DEMO00001",
            apiSecret: "demo",
            endpoint: Endpoint(receiver.url.absoluteString + "/mp/collect")
        )
        return WebStreamDestination(product: lane.product, configuration: stream)
    }
}

extension GoogleAnalytics.Journey.Event {
    fileprivate static func listOpened(products: Int) -> Self {
        Self(name: "listOpened", properties: ["productCount": .int(products)])
    }

    fileprivate static func productOpened(id: String, isUsed: Bool) -> Self {
        Self(name: "productOpened", properties: ["productID": .string(id), "isUsed": .bool(isUsed)])
    }

    fileprivate static func orderPlaced(itemCount: Int) -> Self {
        Self(name: "orderPlaced", properties: ["itemCount": .int(itemCount)])
    }
}
