import CoreTracker
import EventDelivery
import EventDeliveryTesting
import FirebaseTracking
import Foundation
import Locks
import Testing

/// A replacement of the SDK's class of this name, with the same signatures.
private enum Analytics {
    static let log = Mutex<[String]>([])

    static func logEvent(_ name: String, parameters: [String: Any]?) {
        let quantity = (parameters?["quantity"] as? NSNumber)?.intValue ?? 0
        log.withLock { $0.append("\(name) \(quantity)") }
    }

    static func setUserID(_ userID: String?) {
        log.withLock { $0.append("user \(userID ?? "none")") }
    }
}

struct FirebaseAnalyticsAdapter: FirebaseSDKAdapter {
    func logEvent(_ name: String, parameters: EventParameters, userID: String?) {
        Analytics.setUserID(userID)
        Analytics.logEvent(name, parameters: parameters.dictionary)
    }
}

/// An adapter for an SDK that must be called on the main actor.
@MainActor
private final class MainActorAdapter: FirebaseSDKAdapter {
    private(set) var names: [String] = []

    func logEvent(_ name: String, parameters: EventParameters, userID: String?) {
        names.append(name)
    }
}

@Suite(.timeLimit(.minutes(5))) struct FirebaseSDKAdapterTests {
    private let engine = DeliveryEngine(clock: TestClock())

    @Test func `an app conforms the SDK in one small type`() async throws {
        engine.user.identify("u-1")

        try await track(to: FirebaseAnalyticsAdapter())

        #expect(Analytics.log.withLock { $0 } == ["user u-1", "add_to_cart 2"])
    }

    @Test func `an adapter may live on the main actor`() async throws {
        let adapter = MainActorAdapter()

        try await track(to: adapter)

        #expect(await adapter.names == ["add_to_cart"])
    }

    private func track(to adapter: any FirebaseSDKAdapter) async throws {
        engine.lane(.firebase(product: "DL")).track("add_to_cart", parameters: ["quantity": 2])
        let firebase = FirebaseSDKDestination(product: "DL", adapter: adapter)
        try await engine.open(DeliveryConfiguration(directory: nil, destinations: [firebase]))
        await engine.close(timeout: .seconds(5))
    }
}
