import CoreTracker
import EventDelivery
import Foundation
import GoogleAnalytics
import Synchronization
import Testing

/// Stands for the SDK's class of this name, with the signature that the SDK has.
private enum Analytics {
    static let log = Mutex<[String]>([])

    static func logEvent(_ name: String, parameters: [String: Any]?) {
        let amount = (parameters?["amount"] as? NSNumber)?.doubleValue ?? 0
        log.withLock { $0.append("\(name) \(amount)") }
    }
}

struct SDKAdapter: GoogleAnalyticsAdapter {
    func trackEvent(with name: String, properties: EventParameters) {
        Analytics.logEvent(name, parameters: properties.foundationObjects)
    }
}

@Suite struct SDKAdapterTests {
    @Test func `an app conforms the vendor's SDK in one small type`() {
        let service = GoogleAnalyticsService(adapter: SDKAdapter())

        service.send(event: Journey.Event(name: "Basket Opened", properties: ["amount": 12.5]))

        #expect(Analytics.log.withLock { $0 } == ["basket_opened 12.5"])
    }

    @Test func `an app without the SDK wires the web stream`() throws {
        let secret: Secret = "se-cret"
        let engine = DeliveryEngine()

        let stream = try WebStreamConfiguration(measurementID: "G-ABC1234567", apiSecret: secret)
        let destination = WebStreamDestination(product: "DL", configuration: stream)
        let service = GoogleAnalyticsService(adapter: WebStreamAdapter(product: "DL", delivery: engine))

        service.send(event: Journey.Event(name: "e"))
        #expect(destination.lane == LaneID(product: "DL", service: "googleAnalytics"))
    }
}
