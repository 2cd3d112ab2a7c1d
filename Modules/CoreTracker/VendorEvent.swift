/// An event for one vendor: the vendor's type, a name, and parameters that the vendor's module maps to its own wire.
///
/// `VendorEvent(.braze, "product_liked", [.itemID("7")])` is a statement in an event's `services`.
public struct VendorEvent: ServiceEvent {
    /// The type under which the app has registered the vendor.
    public let type: TrackerType
    /// The event's name, such as `Order placed`.
    public var name: String
    public var parameters: EventParameters
    public var defaults = EventParameters()
    public var options: TrackOptions

    /// Creates an event for the vendor of a type.
    @inlinable
    public init(
        _ type: TrackerType,
        _ name: String,
        _ parameters: EventParameters = [],
        options: TrackOptions = TrackOptions()
    ) {
        self.type = type
        self.name = name
        self.parameters = parameters
        self.options = options
    }

    /// Creates an event of two sets of parameters; of two equal keys the later value stands at the place of the first.
    @inlinable
    public init(
        _ type: TrackerType,
        _ name: String,
        _ parameters: EventParameters,
        _ others: EventParameters,
        options: TrackOptions = TrackOptions()
    ) {
        self.init(type, name, parameters.merging(others), options: options)
    }
}

// Other names for two types, for a protocol of another module that gives its conforming types the usual ones. There,
// `CoreTracker.TrackerType` would be looked up in the protocol `CoreTracker`, not in the module.
extension VendorEvent {
    /// The vendor that an event is for.
    public typealias Vendor = TrackerType
    /// The parameters of an event.
    public typealias Parameters = EventParameters
}
