public import CoreTracker
public import EventDelivery
import FirebaseTracking

/// Firebase as Starfield uses it: the shared implementation on the lane `SF/firebase`.
public struct SFFirebaseService: FirebaseService {
    private let service: MeasurementProtocolService

    /// Creates the service on a delivery engine, by default the app's own.
    public init(delivery: DeliveryEngine = .shared) {
        service = MeasurementProtocolService(product: "SF", delivery: delivery)
    }

    public func track(_ event: FirebaseEvent) {
        service.track(event)
    }
}
