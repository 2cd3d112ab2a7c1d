public import Analytics
public import CoreTracker
public import EventTracking

/// The analytics service of Dolap Lite, which sends the steps of its features to Google Analytics.
///
/// `DLAnalyticsService()` delivers through `DeliveryEngine.shared`, which sends nothing until the app opens it.
public struct DLAnalyticsService: AnalyticsService, Sendable {
    private let lane: GoogleAnalyticsLane

    /// Creates a service that delivers on the lane `DL/googleAnalytics`.
    ///
    /// - Parameters:
    ///   - engine: The engine that delivers the steps.
    ///   - settings: The source of the app's channel, which is the default parameter of each step.
    public init(on engine: DeliveryEngine = .shared, settings: ProductSettings<DLSettings> = DLSettings.current) {
        lane = GoogleAnalyticsLane(product: "DL", on: engine) { settings.value.googleAnalyticsDefaults }
    }

    public func send(event: Journey.Event) {
        lane.send(event: event)
    }
}
