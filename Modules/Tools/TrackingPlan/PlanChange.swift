/// A difference between two plans.
struct PlanChange: Hashable {
    /// The description of the change.
    let text: String
    /// Whether systems that consume the events may have to change too.
    let breaksConsumers: Bool
}

extension PlanChange: CustomStringConvertible {
    var description: String { "\(breaksConsumers ? "BREAKS " : "       ")\(text)" }
}
