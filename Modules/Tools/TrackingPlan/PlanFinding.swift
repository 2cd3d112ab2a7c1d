/// A rule that an event of a catalog breaks.
public struct PlanFinding: Sendable, Hashable {
    /// The event's type, such as `DLOrderPlaced`.
    public let event: String
    /// The service that would refuse or adjust the event, such as `firebase`, or `plan` for the plan's rules.
    public let service: String
    /// The stable name of the rule, such as `name_too_long`.
    ///
    /// Ledgers use the same names.
    public let rule: String
    /// The part of the event that breaks the rule, if the service specifies it.
    ///
    /// It is never a value.
    public let field: String?

    /// Creates a finding.
    init(event: String, service: String, rule: String, field: String? = nil) {
        self.event = event
        self.service = service
        self.rule = rule
        self.field = field
    }
}

extension PlanFinding: CustomStringConvertible {
    public var description: String {
        "\(event): \(service): \(rule)" + (field.map { " (\($0))" } ?? "")
    }
}
