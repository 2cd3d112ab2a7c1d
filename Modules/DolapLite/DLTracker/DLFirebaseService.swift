public import CoreTracker
public import EventBuffer

/// The Firebase service of Dolap Lite.
///
/// It adds no default parameters, because Firebase accepts at most 25 per event.
public struct DLFirebaseService: FirebaseService {
    private let service: LaneService

    /// Creates a service that delivers on the lane `DL/firebase`.
    ///
    /// - Parameter engine: The engine that delivers the events.
    public init(on engine: DeliveryEngine = .shared) {
        service = LaneService(product: "DL", delivery: engine)
    }

    public func track(_ event: FirebaseEvent) { service.track(event) }
}
