/// An event for AwesomeTracking, the in-house service: a name and free parameters.
///
/// The product's service adds its default parameters (channel, storefront, currency …) when the event is tracked.
///
/// ```swift
/// AwesomeTrackingEvent("product_viewed", product.awesomeTrackingParameters)
/// ```
public struct AwesomeTrackingEvent: ServiceEvent {
    /// The event's name, such as `product_viewed`.
    public var name: String
    public var parameters: EventParameters
    public var defaults = EventParameters()
    public var options: TrackOptions

    /// Creates an event from labeled values.
    ///
    /// - Parameters:
    ///   - name: The event's name, such as `product_viewed`.
    ///   - parameters: The event's own parameters. They override every default parameter.
    ///   - options: The event's durability and priority.
    @inlinable
    public init(name: String, parameters: EventParameters = [], options: TrackOptions = TrackOptions()) {
        self.name = name
        self.parameters = parameters
        self.options = options
    }

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - name: The event's name, such as `product_viewed`.
    ///   - parameters: The event's own parameters. They override every default parameter.
    ///   - options: The event's durability and priority.
    @inlinable
    public init(_ name: String, _ parameters: EventParameters = [], options: TrackOptions = TrackOptions()) {
        self.init(name: name, parameters: parameters, options: options)
    }

    /// Creates an event from two sets of parameters.
    ///
    /// - Parameters:
    ///   - name: The event's name, such as `product_viewed`.
    ///   - parameters: The first parameters.
    ///   - others: Further parameters. If a key is in both sets, the value is from this one and the position from the
    ///     first.
    ///   - options: The event's durability and priority.
    @inlinable
    public init(
        _ name: String,
        _ parameters: EventParameters,
        _ others: EventParameters,
        options: TrackOptions = TrackOptions()
    ) {
        self.init(name: name, parameters: parameters.merging(others), options: options)
    }
}
