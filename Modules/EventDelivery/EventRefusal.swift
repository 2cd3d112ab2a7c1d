/// Why a destination does not take an event: the rule that the event broke.
public struct EventRefusal: Error, Hashable {
    /// The rule's stable name in snake case, such as `name_too_long`; the ledger counts by it.
    public let rule: String
    /// The part of the event that broke it, such as a parameter's name; never a value.
    public let field: String?

    /// Creates a refusal.
    public init(rule: String, field: String? = nil) {
        self.rule = rule
        self.field = field
    }
}
