public import CoreTracker

/// A vendor's tracker that can be registered in a ``TrackerStore``.
///
/// Each capability is a separate protocol, such as ``PlaybackTrackable``. A tracker conforms only to the capabilities
/// that its vendor needs.
///
/// Contract: every member may be called from any thread, and from inside another call. It returns without waiting for
/// the disk or the network.
public protocol Trackable: Sendable {
    /// The vendor's name.
    ///
    /// The store reads it once, when the tracker is registered.
    var type: TrackerType { get }
}

extension Trackable {
    /// The name of a vendor.
    ///
    /// The alias lets a file declare a tracker and import this module only.
    public typealias TrackerType = VendorEvent.Vendor
}
