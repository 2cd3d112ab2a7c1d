/// A violation of a rule, or a change to the event before it was sent.
struct Finding: Sendable, Hashable {
    /// An owner of rules.
    enum Source: String, Sendable {
        /// The documented rules of the GA4 Measurement Protocol.
        case ga4 = "GA4"
        /// The tracking plan.
        case plan
        /// The sender's rules for the vendor.
        case engine
        /// The format that the receiver expects.
        case receiver
    }

    /// The extent of the damage to the event.
    enum Severity: String, Sendable {
        /// The event does not reach its service, or lacks a value that consumers rely on.
        case error
        /// The event reaches its service, but differs from what was tracked or planned.
        case warning
    }

    let severity: Severity
    let source: Source
    /// The rule's stable name.
    let code: String
    /// The part of the event that breaks the rule.
    ///
    /// Empty for the whole event.
    let path: String
    /// The description of the fault, in a sentence.
    let text: String
}
