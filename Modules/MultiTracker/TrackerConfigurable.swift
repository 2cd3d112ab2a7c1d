/// A configuration that selects which of the registered trackers are called; the selection may change at any time.
///
/// Contract: both members may be read from any thread, and do not call the store.
public protocol TrackerConfigurable: Sendable {
    /// The enabled trackers.
    var enabledTrackers: EnabledTrackers { get }
    /// A number that changes after each change of ``enabledTrackers``, never before it; `nil` by default.
    ///
    /// A store reads it at each call. While the number stays the same, the store does not read ``enabledTrackers``.
    /// Without a number the store reads and compares ``enabledTrackers`` at each call.
    var revision: UInt64? { get }
}

extension TrackerConfigurable {
    /// No number.
    public var revision: UInt64? { nil }
}
