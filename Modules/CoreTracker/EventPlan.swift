/// What the tracking plan says of an event beyond its code.
public struct EventPlan<Event: CoreTrackable>: Sendable {
    /// The event's name among people, such as `Order placed`; no other event of the product has it.
    public let name: String
    /// Who answers for the event.
    public let owner: EventOwner
    /// The question that the event answers, in a sentence.
    public let purpose: String
    /// Typed values of the event that between them show each key, also by its absence, and each type of value.
    public let examples: [Event]

    /// Creates a plan; what is missing or empty in it is a finding of the tracking plan's checks.
    public init(_ name: String, owner: EventOwner, purpose: String, examples: [Event]) {
        self.name = name
        self.owner = owner
        self.purpose = purpose
        self.examples = examples
    }
}
