import Analytics
import CoreTracker
import EventDelivery
import GoogleAnalytics

/// Google Analytics as Dolap Lite's app uses it: its features' steps go to a web stream.
struct AnalyticsFunnel: Sendable {
    /// The lane of the steps.
    static let lane = LaneID.googleAnalytics(product: Product.dolapLite.rawValue)

    /// The service for the presenters' steps.
    let service: GoogleAnalyticsLane

    /// Creates the service with the app's choice of name spelling.
    init(on engine: DeliveryEngine, names: GoogleEvent.NameStyle) {
        service = GoogleAnalyticsLane(product: AnalyticsFunnel.lane.product, on: engine, names: names) {
            ["channel": "app"]
        }
    }

    /// Returns the destination of the lane.
    static func destination(at receiver: Endpoint) throws(ConfigurationError) -> any Destination {
        let stream = try GoogleAnalyticsConfiguration(
            measurementID: "G-DEMO00001",
            apiSecret: "demo",
            endpoint: receiver.appending(path: "mp/collect")
        )
        return GoogleAnalyticsDestination(product: lane.product, configuration: stream)
    }
}
