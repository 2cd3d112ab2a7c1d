/// What the tracking plan says of an event beyond its code.
///
/// When the event is tracked is the first sentence of its type's documentation comment.
public struct EventPlan<Event: CoreTrackable>: Sendable {
    /// The event's name among people, such as `Order placed`; no other event of the product has it.
    public let name: String
    /// Who answers for the event.
    public let owner: EventOwner
    /// The question that the event answers, in a sentence.
    public let purpose: String
    /// The first release of the app with the event, such as `2.4`; `nil` if the plan does not record it.
    public let introduced: String?
    /// Since when the event is deprecated and what replaces it; `nil` for an event in use.
    public let deprecation: EventDeprecation?
    /// Typed values of the event that between them show each key, also by its absence, and each type of value.
    public let examples: [Event]

    /// Creates a plan; what is missing or empty in it is a finding of the tracking plan's checks.
    public init(
        _ name: String,
        owner: EventOwner,
        purpose: String,
        introduced: String? = nil,
        deprecation: EventDeprecation? = nil,
        examples: [Event]
    ) {
        self.name = name
        self.owner = owner
        self.purpose = purpose
        self.introduced = introduced
        self.deprecation = deprecation
        self.examples = examples
    }
}

/// A note that an event is still tracked, and will not be in a later release.
public struct EventDeprecation: Sendable {
    /// The first release of the app in which the event is deprecated, such as `3.0`.
    public let since: String
    /// The event that replaces it; `nil` if none does.
    public let replacement: (any PlannedEvent.Type)?

    /// Creates a note.
    public init(since: String, replacement: (any PlannedEvent.Type)? = nil) {
        self.since = since
        self.replacement = replacement
    }
}
