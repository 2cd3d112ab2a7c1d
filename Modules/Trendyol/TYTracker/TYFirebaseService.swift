public import CoreTracker
public import EventBuffer

/// The Firebase service of Trendyol.
///
/// It adds no default parameters, because Firebase accepts at most 25 per event.
public struct TYFirebaseService: FirebaseService {
    private let service: LaneService

    /// Creates a service that delivers on the lane `TY/firebase`.
    ///
    /// - Parameter engine: The engine that delivers the events.
    public init(on engine: DeliveryEngine = .shared) {
        service = LaneService(product: "TY", delivery: engine)
    }

    public func track(_ event: FirebaseEvent) { service.track(event) }
}
