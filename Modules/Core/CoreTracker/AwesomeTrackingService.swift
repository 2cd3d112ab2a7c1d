/// A service that accepts events for AwesomeTracking, the in-house service.
///
/// Contract: `track` may be called from any thread, and from inside another call of `track`. It returns without waiting
/// for the disk or the network. It does not throw. It counts the events that it rejects.
/// `AwesomeTrackingServiceContract` in `CoreTrackerTesting` checks the contract.
public protocol AwesomeTrackingService: Sendable {
    /// Tracks an event.
    ///
    /// The product's default parameters are evaluated inside this call. Later changes do not affect the event.
    ///
    /// - Parameter event: The event, with the default parameters of the scopes that it was tracked in.
    func track(_ event: AwesomeTrackingEvent)
}
