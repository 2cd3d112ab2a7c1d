/// Says which of the registered trackers are called, now; the answer may change while the app runs.
///
/// Contract: both members may be read from any thread, and do not call the store. `revision` differs after each change
/// of `enabledTrackers`; it changes after the set, never before it.
public protocol TrackerConfigurable: Sendable {
    /// The number of the current set; a store reads it at every call and the set only when it differs.
    var revision: UInt64 { get }
    /// The trackers that are called.
    var enabledTrackers: EnabledTrackers { get }
}
