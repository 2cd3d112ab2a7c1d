/// An event as AwesomeTracking, the in-house service, takes it: a name and free parameters.
///
/// The product's service adds its default parameters (channel, storefront, currency …) at the moment of tracking.
public struct AwesomeTrackingEvent: Sendable, Hashable {
    /// The event's name, such as `product_viewed`.
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
