public import Analytics
import CoreTracker
public import EventBuffer

/// The analytics service of Dolap Lite, which sends the steps of its features to Google Analytics.
///
/// `DLAnalyticsService()` delivers through `DeliveryEngine.shared`, which sends nothing until the app opens it.
public struct DLAnalyticsService: AnalyticsService {
    private let service: GoogleAnalyticsService

    /// Creates a service that delivers on the lane `DL/googleAnalytics`.
    ///
    /// - Parameters:
    ///   - engine: The engine that delivers the steps.
    ///   - settings: The source of the app's channel, which is the default parameter of each step.
    public init(on engine: DeliveryEngine = .shared, settings: ProductSettings<DLSettings> = DLSettings.current) {
        let lane = GoogleAnalyticsLane(product: "DL", delivery: engine) { [.channel(settings.value.channel)] }
        self.init(adapter: lane)
    }

    /// Creates a service that uses a custom adapter.
    ///
    /// - Parameter adapter: The adapter that receives the steps.
    public init(adapter: any GoogleAnalyticsAdapter) {
        service = GoogleAnalyticsService(adapter: adapter)
    }

    public func send(event: Journey.Event) {
        service.send(event: event)
    }
}
