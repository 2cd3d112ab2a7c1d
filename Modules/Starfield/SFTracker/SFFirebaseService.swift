public import CoreTracker
public import EventBuffer

/// The Firebase service of Starfield.
///
/// It adds no default parameters, because Firebase accepts at most 25 per event.
public struct SFFirebaseService: FirebaseService {
    private let service: LaneService

    /// Creates a service that delivers on the lane `SF/firebase`.
    ///
    /// - Parameter engine: The engine that delivers the events.
    public init(on engine: DeliveryEngine = .shared) {
        service = LaneService(product: "SF", delivery: engine)
    }

    public func track(_ event: FirebaseEvent) { service.track(event) }
}
