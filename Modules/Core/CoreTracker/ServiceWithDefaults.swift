/// A service that adds default parameters to each event and passes it to another service.
///
/// Products use it to share one service with different default parameters. The defaults are read inside each `track`,
/// on the caller's thread. Narrower default parameters and the event's own parameters override them.
///
/// ```swift
/// let product = ServiceWithDefaults(shared) { ["storefront": "TR", "screen": "none"] }
/// ```
public struct ServiceWithDefaults<Base: Sendable>: Sendable {
    private let base: Base
    private let defaults: @Sendable (_ narrower: EventParameters) -> EventParameters

    /// Creates a service over another one.
    ///
    /// - Parameters:
    ///   - base: The service that receives the events.
    ///   - defaults: Returns the default parameters. It returns quickly and does not track.
    public init(_ base: Base, defaults: @escaping @Sendable () -> EventParameters) {
        self.init(base) { defaults().merging($0) }
    }

    /// Creates a service whose closure merges the default parameters itself, for example to cache the result.
    ///
    /// - Parameters:
    ///   - base: The service that receives the events.
    ///   - defaults: Returns the default parameters, overlaid by narrower ones. It returns quickly and
    ///     does not track.
    public init(_ base: Base, defaults: @escaping @Sendable (_ narrower: EventParameters) -> EventParameters) {
        self.base = base
        self.defaults = defaults
    }
}

extension ServiceWithDefaults: FirebaseService where Base: FirebaseService {
    public func track(_ event: FirebaseEvent) {
        var event = event
        event.defaults = defaults(event.defaults)
        base.track(event)
    }
}

extension ServiceWithDefaults: AwesomeTrackingService where Base: AwesomeTrackingService {
    public func track(_ event: AwesomeTrackingEvent) {
        var event = event
        event.defaults = defaults(event.defaults)
        base.track(event)
    }
}

extension ServiceWithDefaults: VendorService where Base: VendorService {
    public func track(_ event: VendorEvent) {
        var event = event
        event.defaults = defaults(event.defaults)
        base.track(event)
    }
}

extension ServiceWithDefaults: LossLedger where Base: LossLedger {
    public func record(_ loss: TrackingLoss) { base.record(loss) }
}
