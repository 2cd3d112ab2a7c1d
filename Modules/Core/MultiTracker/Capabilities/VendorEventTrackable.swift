public import CoreTracker

/// The capability to record any named event, such as a `VendorEvent` of an event's services.
public protocol VendorEventTrackable: Sendable {
    /// Records an event in the vendor's wire format.
    ///
    /// Later changes do not affect it.
    ///
    /// - Parameter event: The event.
    func track(_ event: VendorEvent)
}
