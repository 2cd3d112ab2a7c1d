/// An event as AwesomeTracking, the in-house service, takes it: a name and free parameters.
///
/// The product's service adds its default parameters (channel, storefront, currency …) at the moment of tracking.
public struct AwesomeTrackingEvent: ServiceEvent {
    /// The event's name, such as `product_viewed`.
    public var name: String
    public var parameters: EventParameters
    public var defaults = EventParameters()
    public var options: TrackOptions

    @inlinable
    public init(name: String, parameters: EventParameters = [], options: TrackOptions = TrackOptions()) {
        self.name = name
        self.parameters = parameters
        self.options = options
    }

    /// Creates an event.
    @inlinable
    public init(_ name: String, _ parameters: EventParameters = [], options: TrackOptions = TrackOptions()) {
        self.init(name: name, parameters: parameters, options: options)
    }

    /// Creates an event of two sets of parameters; of two equal keys the later value stands at the place of the first.
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
