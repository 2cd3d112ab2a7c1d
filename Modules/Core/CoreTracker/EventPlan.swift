/// An event of the tracking plan.
///
/// It adds only the facts missing from its code. The plan reads services, keys and types of values from the examples,
/// which keeps it consistent with the code. An app never evaluates the plan.
///
/// ```swift
/// extension DLCheckoutStarted: PlannedEvent {
///     public static var plan: EventPlan<DLCheckoutStarted> {
///         EventPlan(
///             "Checkout started",
///             owner: .dlCheckout,
///             purpose: "How many visitors of the checkout place an order.",
///             introduced: "1.0",
///             examples: DLBasket.examples.map { DLCheckoutStarted(basket: $0) }
///         )
///     }
/// }
/// ```
public protocol PlannedEvent: CoreTrackable {
    /// The description of this event in the tracking plan.
    static var plan: EventPlan<Self> { get }
}

/// The facts about an event that only the tracking plan contains.
///
/// The first sentence of the event type's documentation comment describes when the event is tracked. ``PlannedEvent``
/// has an example.
public struct EventPlan<Event: CoreTrackable>: Sendable {
    /// The event's display name, such as `Order placed`.
    ///
    /// It is unique in the product.
    public let name: String
    /// The team responsible for the event.
    public let owner: EventOwner
    /// The question answered by the event, as a sentence.
    public let purpose: String
    /// The first release of the app with the event, such as `2.4`, or `nil` if the plan does not record it.
    public let introduced: String?
    /// The deprecation of the event, or `nil` if the event is in use.
    public let deprecation: EventDeprecation?
    /// Typed values of the event.
    ///
    /// Together they show each key, the absence of each optional key, and each type of value.
    public let examples: [Event]

    /// Creates a plan.
    ///
    /// The tracking plan's checks report missing and empty values.
    ///
    /// - Parameters:
    ///   - name: The event's display name, such as `Order placed`.
    ///   - owner: The team responsible for the event.
    ///   - purpose: The question answered by the event, as a sentence.
    ///   - introduced: The first release of the app with the event, such as `2.4`.
    ///   - deprecation: The deprecation, or `nil` if the event is in use.
    ///   - examples: Typed values of the event, which together show each key and each type of value.
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

/// A deprecation: the event is still tracked and will be removed in a later release.
public struct EventDeprecation: Sendable {
    /// The first release of the app in which the event is deprecated, such as `3.0`.
    public let since: String
    /// The event that replaces the deprecated one, if any.
    public let replacement: (any PlannedEvent.Type)?

    /// Creates a deprecation.
    ///
    /// - Parameters:
    ///   - since: The first release of the app in which the event is deprecated, such as `3.0`.
    ///   - replacement: The event that replaces the deprecated one, if any.
    public init(since: String, replacement: (any PlannedEvent.Type)? = nil) {
        self.since = since
        self.replacement = replacement
    }
}
