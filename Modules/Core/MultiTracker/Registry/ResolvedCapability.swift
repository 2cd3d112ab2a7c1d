import CoreTracker

/// A table of any capability.
///
/// It is immutable; each change creates a new table.
protocol ResolvedCapability: AnyObject, Sendable {
    /// Returns the table with one more tracker.
    ///
    /// Only that tracker is cast.
    func adding(_ registration: Registration, selection: EnabledTrackers) -> any ResolvedCapability
    /// Returns the table without a tracker.
    func removing(_ type: TrackerType, selection: EnabledTrackers) -> any ResolvedCapability
    /// Returns the table with another selection.
    func selecting(_ selection: EnabledTrackers) -> any ResolvedCapability
}
