/// An event for Firebase Analytics: a name and parameters.
///
/// The service that delivers the event checks Firebase's limits (names of 40 characters, 25 parameters, values of 100
/// characters, reserved names). It counts each rejected event and parameter under the rule's name.
///
/// ```swift
/// FirebaseEvent("view_item", DLBasket(product).firebaseParameters)
/// ```
public struct FirebaseEvent: ServiceEvent {
    /// The event's name, such as `view_item`.
    public var name: String
    public var parameters: EventParameters
    public var defaults = EventParameters()
    public var options: TrackOptions

    /// Creates an event from labeled values.
    ///
    /// - Parameters:
    ///   - name: The event's name, such as `view_item`.
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
    ///   - name: The event's name, such as `view_item`.
    ///   - parameters: The event's own parameters. They override every default parameter.
    ///   - options: The event's durability and priority.
    @inlinable
    public init(_ name: String, _ parameters: EventParameters = [], options: TrackOptions = TrackOptions()) {
        self.init(name: name, parameters: parameters, options: options)
    }

    /// Creates an event from two sets of parameters.
    ///
    /// - Parameters:
    ///   - name: The event's name, such as `view_item`.
    ///   - parameters: The first parameters.
    ///   - others: Further parameters. If a key is in both sets, the value is from this one and the position from the
    ///     first.
    ///   - options: The event's durability and priority.
    @inlinable
    public init(
        _ name: String,
        _ parameters: EventParameters,
        merging others: EventParameters,
        options: TrackOptions = TrackOptions()
    ) {
        self.init(name: name, parameters: parameters.merging(others), options: options)
    }
}

/// A service that accepts events for Firebase Analytics.
///
/// Contract: `track` may be called from any thread, and from inside another call of `track`. It returns without waiting
/// for the disk or the network. It does not throw. It counts the events that it rejects. `ServiceContract` in
/// `CoreTrackerTesting` checks the contract.
public protocol FirebaseService: Sendable {
    /// Tracks an event.
    ///
    /// Later changes of the default parameters or the user do not affect it.
    ///
    /// - Parameter event: The event, with its default parameters.
    func track(_ event: FirebaseEvent)
}
