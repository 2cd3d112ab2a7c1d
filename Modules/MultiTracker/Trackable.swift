public import CoreTracker

/// A vendor's tracker as a ``TrackerStore`` holds it: a name, and whatever capabilities the type conforms to.
///
/// A capability is a protocol of its own, such as ``PlaybackTrackable``; a tracker conforms to those that its vendor
/// cares about and to no other. Contract: every member may be called from any thread and from inside another call, and
/// returns without waiting for disk or network.
public protocol Trackable: Sendable {
    /// The vendor's name; read once, when the tracker is registered.
    var type: TrackerType { get }
}

extension Trackable {
    /// The name of a vendor; a file that declares a tracker imports this module alone.
    public typealias TrackerType = VendorEvent.Vendor
}
