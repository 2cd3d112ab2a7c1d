import CoreTracker

/// A capability's table, whatever the capability is; each change makes a new table.
protocol ResolvedCapability: AnyObject, Sendable {
    /// The table with one more tracker, the only one that is cast.
    func adding(_ registration: Registration, selection: EnabledTrackers) -> any ResolvedCapability
    /// The table without a tracker.
    func removing(_ type: TrackerType, selection: EnabledTrackers) -> any ResolvedCapability
    /// The table under another selection.
    func selecting(_ selection: EnabledTrackers) -> any ResolvedCapability
}
