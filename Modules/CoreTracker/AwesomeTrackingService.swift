/// A service that takes events for AwesomeTracking, the in-house service.
///
/// Contract: `track` may be called from any thread and from inside another call, returns without waiting for disk or
/// network, does not throw, and counts what it refuses. Checked by `AwesomeTrackingServiceContract` in
/// `CoreTrackerTesting`.
public protocol AwesomeTrackingService: Sendable {
    /// Takes an event as it is now; the product's default parameters are evaluated inside this call.
    func track(_ event: AwesomeTrackingEvent)
}
