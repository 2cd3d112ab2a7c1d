public import CoreTracker
public import EventDelivery

/// Firebase for Trendyol, without default parameters: Firebase takes at most 25 for each event.
public struct TYFirebaseService: FirebaseService {
    private let service: LaneService

    /// Creates the service on the lane `TY/firebase` of an engine.
    public init(on engine: DeliveryEngine = .shared) {
        service = LaneService(product: "TY", delivery: engine)
    }

    public func track(_ event: FirebaseEvent) { service.track(event) }
}
