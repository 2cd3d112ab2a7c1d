public import CoreTracker

/// The capability to take any named event, such as one that an event's `VendorEvent` addresses.
public protocol VendorEventTrackable: Sendable {
    /// Takes an event as it is now and maps it to the vendor's own wire.
    func track(_ event: VendorEvent)
}
