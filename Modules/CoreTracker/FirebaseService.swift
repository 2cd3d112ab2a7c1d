/// A service that takes events for Firebase Analytics.
///
/// Contract: `track` may be called from any thread and from inside another call, returns without waiting for disk or
/// network, does not throw, and counts what it refuses. Checked by `FirebaseServiceContract` in
/// `CoreTrackerTesting`.
public protocol FirebaseService: Sendable {
    /// Takes an event as it is now; later changes of defaults or identity do not touch it.
    func track(_ event: FirebaseEvent)
}
