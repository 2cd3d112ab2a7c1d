/// A rule that an event breaks, or by which it was changed before it was sent.
struct Finding: Sendable, Hashable {
    /// The owner of the rule.
    enum Source: String, Sendable {
        /// The documented rules of the GA4 Measurement Protocol.
        case ga4 = "GA4"
        /// The tracking plan.
        case plan
        /// The sender's own rules for the vendor.
        case engine
        /// The format that the receiver expects.
        case receiver
    }

    /// How much of the event is lost.
    enum Severity: String, Sendable {
        /// The event, or a value that a consumer relies on, does not reach its service.
        case error
        /// The event reaches its service, but differs from what was tracked or planned.
        case warning
    }

    let severity: Severity
    let source: Source
    /// The rule's stable name.
    let code: String
    /// The part of the event that breaks the rule; empty for the whole event.
    let path: String
    /// The description of the fault, in a sentence.
    let text: String
}
