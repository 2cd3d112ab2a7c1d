/// A service that accepts events for Firebase Analytics.
///
/// Contract: `track` may be called from any thread, and from inside another call of `track`. It returns without waiting
/// for the disk or the network. It does not throw. It counts the events that it rejects. `FirebaseServiceContract` in
/// `CoreTrackerTesting` checks the contract.
public protocol FirebaseService: Sendable {
    /// Tracks an event.
    ///
    /// Later changes of the default parameters or the user do not affect it.
    ///
    /// - Parameter event: The event, with the default parameters of the scopes that it was tracked in.
    func track(_ event: FirebaseEvent)
}
