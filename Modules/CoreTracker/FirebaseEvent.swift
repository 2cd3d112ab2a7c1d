/// An event as Firebase Analytics takes it: a name and parameters under Firebase's limits.
///
/// The limits (names of 40 characters, 25 parameters, values of 100 characters, reserved words) are checked by the
/// service that delivers the event; what they refuse is counted with the rule's name.
public struct FirebaseEvent: ServiceEvent {
    /// The event's name, such as `view_item`.
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
