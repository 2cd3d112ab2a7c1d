/// Why a registered or addressed tracker does not get an event.
public enum TrackerRefusal: String, Sendable, Hashable, CaseIterable {
    /// No tracker of that type is registered.
    case notRegistered
    /// The tracker is registered but not enabled.
    case disabled
    /// The tracker's type does not conform to the capability that the call needs.
    case noCapability
    /// The user has refused consent.
    case noConsent
    /// The event names other vendors; this is an answer, not a loss, and is never counted.
    case notAddressed
}
