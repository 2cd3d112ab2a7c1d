/// The tracker that a presenter calls: it hands each service of an event to the service that the product injected.
///
/// Contract: `track` may be called from any thread or actor, is synchronous, and returns without waiting for disk or
/// network. Events tracked one after the other on one thread reach each service in that order. In a presenter's test
/// the whole tracker is replaced: `track` is a requirement, so a mock sees the typed event before the call returns.
/// Checked by `CoreTrackerContract` in `CoreTrackerTesting`.
public protocol CoreTracker: Sendable {
    /// The product's Firebase service.
    var firebaseService: any FirebaseService { get }
    /// The product's AwesomeTracking service.
    var awesomeTrackingService: any AwesomeTrackingService { get }
    /// The product's registered vendors.
    var vendorService: any VendorService { get }
    /// Tracks an event: each of its services takes it, in the event's order.
    func track(_ event: some CoreTrackable)
}

extension CoreTracker {
    /// Tracks an event by walking its services.
    public func track(_ event: some CoreTrackable) {
        for service in event.services {
            switch service {
            case .firebase(let event): firebaseService.track(event)
            case .awesomeTracking(let event): awesomeTrackingService.track(event)
            case .vendor(let type, let event): vendorService.track(event, type: type)
            }
        }
    }
}
