/// What the plan says of one event at one service under one name.
struct PlanEntry: Hashable {
    /// The product, by its prefix.
    var product: String
    /// The module that owns the event.
    var module: String
    /// The event's type without its module.
    var event: String
    /// The event's name among people.
    var title: String
    /// Who answers for the event.
    var owner: String
    /// The question that the event answers.
    var purpose: String
    /// The service's name.
    var service: String
    /// The event's name at the service.
    var name: String
    /// The service's rules in words, which the event was held to.
    var rules: String
    /// What is known of the parameters.
    var parameters: ValueSchema
}
