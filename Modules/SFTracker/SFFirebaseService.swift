public import CoreTracker
public import EventDelivery

/// Firebase for Starfield, without default parameters: Firebase takes at most 25 for each event.
public struct SFFirebaseService: FirebaseService {
    private let service: LaneService

    /// Creates the service on the lane `SF/firebase` of an engine.
    public init(on engine: DeliveryEngine = .shared) {
        service = LaneService(product: "SF", delivery: engine)
    }

    public func track(_ event: FirebaseEvent) { service.track(event) }
}
