public import CoreTracker
public import EventDelivery
import FirebaseTracking

/// Firebase as Dolap Lite uses it: the shared implementation on the lane `DL/firebase`.
public struct DLFirebaseService: FirebaseService {
    private let service: MeasurementProtocolService

    /// Creates the service on a delivery engine, by default the app's own.
    public init(delivery: DeliveryEngine = .shared) {
        service = MeasurementProtocolService(product: "DL", delivery: delivery)
    }

    public func track(_ event: FirebaseEvent) {
        service.track(event)
    }
}
