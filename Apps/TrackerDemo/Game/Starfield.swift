import CoreTracker
import EventDelivery
import FirebaseTracking
import MultiTracker
import SFTracker
import Synchronization

/// Starfield's tracker on the demo's engine.
struct Starfield: Sendable {
    /// The product's prefix.
    static let product = "SF"

    /// The mode of the events that are tracked now.
    private final class Mode: Sendable {
        private let current = Mutex(SFMode.selfPlay)

        var value: SFMode {
            get { current.withLock { $0 } }
            set { current.withLock { $0 = newValue } }
        }
    }

    /// The product's tracker.
    let tracker: any CoreTracker
    /// The ways between its screens.
    let navigation: any NavigationTrackable
    private let mode = Mode()

    /// Makes the tracker.
    init(engine: DeliveryEngine) {
        let mode = mode
        tracker = SFTracker(
            firebaseService: SFFirebaseService(delivery: engine),
            awesomeTrackingService: SFAwesomeTrackingService(delivery: engine) { mode.value },
            vendorService: SFVendorService(delivery: engine)
        )
        navigation = SFNavigation(tracker: tracker)
    }

    /// Says how the game is played from now on.
    func play(_ mode: SFMode) {
        self.mode.value = mode
    }

    /// The product's lanes.
    static func destinations(_ receivers: Receivers) throws(ConfigurationError) -> [any Destination] {
        let firebase = try MeasurementProtocolConfiguration(
            endpoint: receivers.firebase,
            firebaseAppID: "1:100000000003:ios:5f57a2f1e1d00003",
            apiSecret: "demo"
        )
        return [
            MeasurementProtocolDestination(product: product, configuration: firebase),
            try receivers.awesomeTracking.destination(product: product),
        ]
    }
}
