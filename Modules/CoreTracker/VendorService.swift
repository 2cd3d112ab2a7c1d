/// A service that takes events for the vendors that an app has registered.
///
/// Contract: `track` may be called from any thread and from inside another call, returns without waiting for disk or
/// network, does not throw, and counts what it refuses. Checked by `VendorServiceContract` in
/// `CoreTrackerTesting`.
public protocol VendorService: Sendable {
    /// Takes an event for the vendor of its type, as it is now.
    func track(_ event: VendorEvent)
}
