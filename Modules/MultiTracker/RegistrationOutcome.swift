/// What came of a registration; the caller decides what a refusal means.
public enum RegistrationOutcome: Sendable, Hashable {
    /// The store holds the tracker, and the next call reaches it.
    case registered
    /// A tracker of the same type was there before and stays; the new one was not taken.
    case duplicate
}
