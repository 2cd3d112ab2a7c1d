/// The user's decision about a purpose.
public enum Consent: String, Sendable, Hashable, CaseIterable {
    /// No decision yet. Events are kept, up to the budget's `eventsAwaitingConsent`, and none is sent.
    case unknown
    /// The user agreed. Events are sent, and the kept events are sent in their order and with their original times.
    case granted
    /// The user refused. New events are dropped and counted, and earlier events are counted and deleted.
    case denied
}
