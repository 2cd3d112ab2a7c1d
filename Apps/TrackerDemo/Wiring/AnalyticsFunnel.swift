import Analytics
import CoreTracker
import EventDelivery
import Foundation
import GoogleAnalytics

/// Google Analytics as Dolap Lite's app uses it: the steps of its features go to a web stream.
struct AnalyticsFunnel: Sendable {
    /// The lane of the steps.
    static let lane = LaneID.googleAnalytics(product: Product.dolapLite.rawValue)

    /// The service that the presenters send their steps to.
    let service: any AnalyticsService

    /// Creates the service over an engine, with a spelling of names that the app chooses.
    init(on engine: DeliveryEngine, names: GoogleAnalyticsService.NameStyle) {
        let adapter = GoogleAnalyticsLane(product: AnalyticsFunnel.lane.product, delivery: engine) {
            ["channel": "app"]
        }
        service = GoogleAnalyticsService(adapter: adapter, names: names)
    }

    /// Returns the destination of the lane.
    static func destination(at receiver: Endpoint) throws(ConfigurationError) -> any Destination {
        let stream = try WebStreamConfiguration(
            measurementID: "G-DEMO00001",
            apiSecret: "demo",
            endpoint: receiver.appending(path: "mp/collect")
        )
        return WebStreamDestination(product: lane.product, configuration: stream)
    }
}
