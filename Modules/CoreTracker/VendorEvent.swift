/// An event for a registered vendor: a name and parameters that the vendor's module maps to its own wire.
public struct VendorEvent: Sendable, Hashable {
    /// The event's name.
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
