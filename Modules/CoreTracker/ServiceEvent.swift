/// An event as one service takes it: a name and parameters, and the defaults of the scopes that it was tracked in.
public protocol ServiceEvent: Sendable, Hashable, CustomStringConvertible {
    /// The event's name.
    var name: String { get set }
    /// The event's own parameters; they win over every default.
    var parameters: EventParameters { get set }
    /// The default parameters of the scopes that the event was tracked in; those of a narrower scope win.
    var defaults: EventParameters { get set }
    /// How the event is treated on its way.
    var options: TrackOptions { get set }
}

extension ServiceEvent {
    /// Returns the event with the default parameters of a wider scope; those that it has already win.
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
