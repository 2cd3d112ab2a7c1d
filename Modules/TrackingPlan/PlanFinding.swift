/// A rule that an event of a catalog breaks.
public struct PlanFinding: Sendable, Hashable {
    /// The event's type, such as `DLOrderPlaced`.
    public let event: String
    /// The service that would refuse or repair the event, such as `firebase`; `plan` for the plan's own rules.
    public let service: String
    /// The rule's stable name, such as `name_too_long`, as the ledger counts it.
    public let rule: String
    /// The part of the event that broke it, as far as the service names one; never a value.
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
