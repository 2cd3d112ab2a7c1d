/// One difference between two plans, in words.
struct PlanChange: Hashable {
    /// What has changed.
    let text: String
    /// Whether who reads the events at the other end may have to follow.
    let breaksConsumers: Bool
}

extension PlanChange: CustomStringConvertible {
    var description: String { "\(breaksConsumers ? "BREAKS " : "       ")\(text)" }
}
