/// An event as one service takes it: a name and parameters, and the defaults of the scopes that it was tracked in.
public protocol ServiceEvent: Sendable, Hashable {
    /// The event's name.
    var name: String { get set }
    /// The event's own parameters; they win over every default.
    var parameters: EventParameters { get set }
    /// The default parameters of the scopes that the event was tracked in, the narrower scope's winning.
    var defaults: EventParameters { get set }

    /// Creates an event without defaults.
    init(name: String, parameters: EventParameters)
}

extension ServiceEvent {
    /// Creates an event; of two equal keys the later value stands at the place of the first.
    ///
    /// `others` are what the event has beside a set of another type, such as those of a product.
    @inlinable
    public init(_ name: String, _ parameters: EventParameters = [], _ others: EventParameters = []) {
        self.init(name: name, parameters: parameters.merging(others))
    }

    /// Returns the event with the default parameters of a wider scope; those that it has already win.
    public func scoped(by defaults: EventParameters) -> Self {
        guard !defaults.isEmpty || defaults.hasSensitive else { return self }
        var event = self
        event.defaults = defaults.merging(self.defaults)
        return event
    }
}
