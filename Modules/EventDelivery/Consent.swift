/// What the user has said about a purpose.
public enum Consent: String, Sendable, Hashable, CaseIterable {
    /// Nothing yet: events are held apart, within a small budget, and none is sent.
    case unknown
    /// Yes: events are sent; held ones are released in their order and with their times.
    case granted
    /// No: nothing is taken, sent or kept.
    case denied
}
