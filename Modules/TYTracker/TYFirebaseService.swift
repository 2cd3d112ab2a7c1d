public import CoreTracker
public import EventDelivery
import FirebaseTracking

/// Firebase as Trendyol uses it: the shared implementation on the lane `TY/firebase`.
public struct TYFirebaseService: FirebaseService {
    private let service: MeasurementProtocolService

    /// Creates the service on a delivery engine, by default the app's own.
    public init(delivery: DeliveryEngine = .shared) {
        service = MeasurementProtocolService(product: "TY", delivery: delivery)
    }

    public func track(_ event: FirebaseEvent) {
        service.track(event)
    }
}
