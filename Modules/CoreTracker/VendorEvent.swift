/// An event for a registered vendor: a name and parameters that the vendor's module maps to its own wire.
public struct VendorEvent: ServiceEvent {
    /// The event's name, such as `Order placed`.
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
}
