/// A reason why a tracker does not receive a call or an event.
public enum TrackerSkipReason: String, Sendable, Hashable, CaseIterable {
    /// No tracker of the type is registered.
    case notRegistered
    /// The tracker is registered but not enabled.
    case disabled
    /// The tracker's type does not conform to the capability that the call needs.
    case noCapability
    /// The user has denied consent.
    case noConsent
    /// The event is for other vendors.
    ///
    /// This is not a loss and is never counted.
    case notAddressed
}
