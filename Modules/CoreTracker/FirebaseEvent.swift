/// An event as Firebase Analytics takes it: a name and parameters under Firebase's limits.
///
/// The limits (names of 40 characters, 25 parameters, values of 100 characters, reserved words) are checked by the
/// service that delivers the event; what they refuse is counted with the rule's name.
public struct FirebaseEvent: Sendable, Hashable {
    /// The event's name, such as `view_item`.
    public var name: String
    /// The event's own parameters; they win over every default.
    public var parameters: EventParameters

    /// Creates an event.
    @inlinable
    public init(_ name: String, _ parameters: EventParameters = []) {
        self.init(name: name, parameters: parameters)
    }

    /// Creates an event of two sets of parameters; of two equal keys the later value stands at the place of the first.
    @inlinable
    public init(_ name: String, _ parameters: EventParameters, _ others: EventParameters) {
        self.init(name: name, parameters: parameters.merging(others))
    }

    /// Creates an event.
    public init(name: String, parameters: EventParameters = []) {
        self.name = name
        self.parameters = parameters
    }
}
