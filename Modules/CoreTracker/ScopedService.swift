/// A service with the default parameters of a scope, as a product has them: the same service, differently by product.
///
/// The defaults are read inside each `track`, on the caller's thread; those of a narrower scope and the event's own
/// parameters win over them.
public struct ScopedService<Base: Sendable>: Sendable {
    private let base: Base
    private let defaults: @Sendable (_ narrower: EventParameters) -> EventParameters

    /// Creates a service over another one; `defaults` returns quickly and does not track.
    public init(_ base: Base, defaults: @escaping @Sendable () -> EventParameters) {
        self.init(base) { defaults().merging($0) }
    }

    /// Creates a service over another one; `defaults` returns its own overlaid by those of a narrower scope, as what
    /// remembers the result can do at less cost.
    public init(_ base: Base, defaults: @escaping @Sendable (_ narrower: EventParameters) -> EventParameters) {
        self.base = base
        self.defaults = defaults
    }
}

extension ScopedService: FirebaseService where Base: FirebaseService {
    public func track(_ event: FirebaseEvent) {
        var event = event
        event.defaults = defaults(event.defaults)
        base.track(event)
    }
}

extension ScopedService: AwesomeTrackingService where Base: AwesomeTrackingService {
    public func track(_ event: AwesomeTrackingEvent) {
        var event = event
        event.defaults = defaults(event.defaults)
        base.track(event)
    }
}

extension ScopedService: VendorService where Base: VendorService {
    public func track(_ event: VendorEvent) {
        var event = event
        event.defaults = defaults(event.defaults)
        base.track(event)
    }
}
