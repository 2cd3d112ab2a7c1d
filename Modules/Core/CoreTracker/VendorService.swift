/// A service that accepts events for the vendors that an app has registered.
///
/// Contract: `track` may be called from any thread, and from inside another call of `track`. It returns without waiting
/// for the disk or the network. It does not throw. It counts the events that it rejects. `VendorServiceContract` in
/// `CoreTrackerTesting` checks the contract.
public protocol VendorService: Sendable {
    /// Tracks an event for the vendor of its type.
    ///
    /// Later changes do not affect it.
    ///
    /// - Parameter event: The event, with the type of its vendor.
    func track(_ event: VendorEvent)
}
