public import Analytics
import CoreTracker
public import EventDelivery
import GoogleAnalytics

/// The analytics service of Dolap Lite: the steps of its features go to Google Analytics.
///
/// `DLAnalyticsService()` delivers through `DeliveryEngine.shared`; nothing is sent until the app opens that engine.
public struct DLAnalyticsService: AnalyticsService {
    private let service: GoogleAnalyticsService

    /// Creates the service on the lane `DL/googleAnalytics` of an engine; each step has the app's channel by default.
    public init(on engine: DeliveryEngine = .shared, settings: ProductSettings<DLSettings> = DLSettings.current) {
        let lane = GoogleAnalyticsLane(product: "DL", delivery: engine) { [.channel(settings.value.channel)] }
        self.init(adapter: lane)
    }

    /// Creates the service over another adapter.
    public init(adapter: any GoogleAnalyticsAdapter) {
        service = GoogleAnalyticsService(adapter: adapter)
    }

    public func send(event: Journey.Event) {
        service.send(event: event)
    }
}
