/// An entry of the plan, which describes one event at one service under one name.
struct PlanEntry: Hashable {
    /// The product's prefix.
    var product: String
    /// The module that owns the event.
    var module: String
    /// The event's type, without its module.
    var event: String
    /// The event's title for people.
    var title: String
    /// The team that owns the event.
    var owner: String
    /// The question that the event answers.
    var purpose: String
    /// The service's name.
    var service: String
    /// The event's name at the service.
    var name: String
    /// The service's rules as text.
    var rules: String
    /// The schema of the parameters.
    var parameters: ValueSchema
}
