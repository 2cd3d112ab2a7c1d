/// A configuration that selects the registered trackers to call.
///
/// The selection may change at any time.
///
/// Contract: both members may be read from any thread, and do not call the store.
public protocol TrackerConfigurable: Sendable {
    /// The enabled trackers.
    var enabledTrackers: EnabledTrackers { get }
    /// A number that changes after each change of ``enabledTrackers``, and never before it.
    ///
    /// `nil` by default.
    ///
    /// A store reads the number at each call. If it has not changed, the store does not read ``enabledTrackers``. If
    /// there is no number, the store reads and compares ``enabledTrackers`` at each call.
    var revision: UInt64? { get }
}

extension TrackerConfigurable {
    /// Always `nil`.
    public var revision: UInt64? { nil }
}
