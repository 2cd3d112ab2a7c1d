/// Something about an event that breaks a rule, or that was repaired on its way.
struct Finding: Sendable, Hashable {
    /// Whose rule it is.
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

    let source: Source
    /// The rule's stable name.
    let code: String
    /// The part of the event that it is about; empty for the whole.
    let path: String
    /// What is wrong, in a sentence.
    let text: String
}
