/// A service with the default parameters of a scope, as a product has them: the same service, differently by product.
///
/// The defaults are read inside each `track`, on the caller's thread; those of a narrower scope and the event's own
/// parameters win over them.
public struct ScopedService<Base: Sendable>: Sendable {
    private let base: Base
    private let defaults: @Sendable () -> EventParameters

    /// Creates a service over another one; `defaults` returns quickly and does not track.
    public init(_ base: Base, defaults: @escaping @Sendable () -> EventParameters) {
        self.base = base
        self.defaults = defaults
    }
}

extension ScopedService: FirebaseService where Base: FirebaseService {
    public func track(_ event: FirebaseEvent) {
        base.track(event.scoped(by: defaults()))
    }
}

extension ScopedService: AwesomeTrackingService where Base: AwesomeTrackingService {
    public func track(_ event: AwesomeTrackingEvent) {
        base.track(event.scoped(by: defaults()))
    }
}

extension ScopedService: VendorService where Base: VendorService {
    public func track(_ event: VendorEvent, type: TrackerType) {
        base.track(event.scoped(by: defaults()), type: type)
    }
}
