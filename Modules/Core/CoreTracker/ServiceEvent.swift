/// An event for one service: a name, parameters, and the default parameters of the scopes that it was tracked in.
public protocol ServiceEvent: Sendable, Hashable, CustomStringConvertible {
    /// The event's name.
    var name: String { get set }
    /// The event's own parameters.
    ///
    /// They override every default parameter.
    var parameters: EventParameters { get set }
    /// The default parameters of the scopes that the event was tracked in.
    ///
    /// Those of a narrower scope override the others.
    var defaults: EventParameters { get set }
    /// The event's durability and priority.
    var options: TrackOptions { get set }
}

extension ServiceEvent {
    /// Returns the event with the default parameters of a wider scope.
    ///
    /// - Parameter defaults: The default parameters. The event's existing default parameters override them.
    public func scoped(by defaults: EventParameters) -> Self {
        guard !defaults.isEmpty || defaults.hasSensitive else { return self }
        var event = self
        event.scope(by: defaults)
        return event
    }

    /// Adds the default parameters of a wider scope.
    mutating func scope(by wider: EventParameters) {
        defaults = wider.merging(defaults)
    }
}
