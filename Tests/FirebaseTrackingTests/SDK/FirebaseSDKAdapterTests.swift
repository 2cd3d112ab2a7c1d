import CoreTracker
import EventDelivery
import FirebaseTracking
import Foundation
import Synchronization
import Testing

/// Stands for the SDK's class of this name, with the signature that the SDK has.
private enum Analytics {
    static let log = Mutex<[String]>([])

    static func logEvent(_ name: String, parameters: [String: Any]?) {
        let quantity = (parameters?["quantity"] as? NSNumber)?.intValue ?? 0
        log.withLock { $0.append("\(name) \(quantity)") }
    }
}

struct FirebaseAnalyticsAdapter: FirebaseSDKAdapter {
    func logEvent(_ name: String, parameters: EventParameters) {
        Analytics.logEvent(name, parameters: parameters.foundationObjects)
    }
}

@Suite struct FirebaseSDKAdapterTests {
    @Test func `an app conforms the SDK in one small type`() async {
        let service = FirebaseSDKService(adapter: FirebaseAnalyticsAdapter())

        service.track(FirebaseEvent(name: "add_to_cart", parameters: ["quantity": 2]))
        await service.close()

        #expect(Analytics.log.withLock { $0 } == ["add_to_cart 2"])
    }
}
