/// The result of a registration.
public enum RegistrationOutcome: Sendable, Hashable {
    /// The store contains the tracker.
    ///
    /// The next call reaches it.
    case registered
    /// A tracker of the same type was registered before.
    ///
    /// The new one was ignored.
    case duplicate
}
