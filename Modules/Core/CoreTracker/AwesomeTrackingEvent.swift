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
        merging others: EventParameters,
        options: TrackOptions = TrackOptions()
    ) {
        self.init(name: name, parameters: parameters.merging(others), options: options)
    }
}

/// The names of platforms in AwesomeTracking.
public enum AwesomeTrackingPlatform {
    /// The platform for which this code was compiled.
    public static let current: String = {
        #if os(iOS)
        "ios"
        #elseif os(macOS)
        "macos"
        #elseif os(tvOS)
        "tvos"
        #elseif os(watchOS)
        "watchos"
        #elseif os(visionOS)
        "visionos"
        #elseif os(Linux)
        "linux"
        #else
        "other"
        #endif
    }()
}

/// A service that accepts events for AwesomeTracking, the in-house service.
///
/// Contract: `track` may be called from any thread, and from inside another call of `track`. It returns without waiting
/// for the disk or the network. It does not throw. It counts the events that it rejects. `ServiceContract` in
/// `CoreTrackerTesting` checks the contract.
public protocol AwesomeTrackingService: Sendable {
    /// Tracks an event.
    ///
    /// The product's default parameters are evaluated inside this call. Later changes do not affect the event.
    ///
    /// - Parameter event: The event, with its default parameters.
    func track(_ event: AwesomeTrackingEvent)
}
