/// An event for one vendor: the vendor's type, a name and parameters.
///
/// The vendor's module maps the parameters to its wire format. `VendorEvent(.braze, "product_liked", [.itemID("7")])`
/// is a statement in an event's `services`.
public struct VendorEvent: ServiceEvent {
    /// The type under which the app registers the vendor.
    public let type: TrackerType
    /// The event's name, such as `Order placed`.
    public var name: String
    public var parameters: EventParameters
    public var defaults = EventParameters()
    public var options: TrackOptions

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - type: The type under which the app registers the vendor.
    ///   - name: The event's name, such as `Order placed`.
    ///   - parameters: The event's own parameters. They override every default parameter.
    ///   - options: The event's durability and priority.
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

    /// Creates an event from two sets of parameters.
    ///
    /// - Parameters:
    ///   - type: The type under which the app registers the vendor.
    ///   - name: The event's name, such as `Order placed`.
    ///   - parameters: The first parameters.
    ///   - others: Further parameters. If a key is in both sets, the value is from this one and the position from the
    ///     first.
    ///   - options: The event's durability and priority.
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

// Aliases for a protocol of another module that gives its conforming types the usual names. In that module,
// `CoreTracker.TrackerType` would be looked up in the protocol `CoreTracker` instead of the module.
extension VendorEvent {
    /// The type of an event's vendor.
    public typealias Vendor = TrackerType
    /// The type of an event's parameters.
    public typealias Parameters = EventParameters
}
