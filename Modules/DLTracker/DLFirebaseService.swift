public import CoreTracker
public import EventDelivery

/// Firebase for Dolap Lite, without default parameters: Firebase takes at most 25 for each event.
public struct DLFirebaseService: FirebaseService {
    private let service: LaneService

    /// Creates the service on the lane `DL/firebase` of an engine.
    public init(on engine: DeliveryEngine = .shared) {
        service = LaneService(product: "DL", delivery: engine)
    }

    public func track(_ event: FirebaseEvent) { service.track(event) }
}
