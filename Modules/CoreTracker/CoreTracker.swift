/// The tracker that a presenter calls: it passes each part of an event to the service that the product injected.
///
/// Contract: `track` may be called from any thread or actor, is synchronous, and returns without waiting for disk or
/// network. Events tracked one after the other on one thread reach each service in that order. In a presenter's test
/// the whole tracker is replaced: `track` is a requirement, so a mock sees the typed event before the call returns.
/// Checked by `CoreTrackerContract` in `CoreTrackerTesting`.
public protocol CoreTracker: Sendable {
    /// The product's Firebase service.
    var firebaseService: any FirebaseService { get }
    /// The product's AwesomeTracking service.
    var awesomeTrackingService: any AwesomeTrackingService { get }
    /// The product's registered vendors; by default a ``NoVendorService``, which sends nothing and counts each event.
    var vendorService: any VendorService { get }
    /// The default parameters of the tracker's scope, such as a feature's screen; none by default.
    ///
    /// They are read inside each `track`. They win over the default parameters of a service, and the event's own
    /// parameters win over them: automatic < product < feature < own.
    var scope: EventParameters { get }
    /// Tracks an event: passes each of its parts to a service, in the event's order.
    func track(_ event: some CoreTrackable)
    /// Returns a tracker for a narrower scope, such as a flow or an A/B test, whose defaults win over this one's.
    func scoped(by defaults: EventParameters) -> any CoreTracker
}

extension CoreTracker {
    /// A service that sends nothing and counts each event.
    public var vendorService: any VendorService { NoVendorService() }

    /// No default parameters.
    public var scope: EventParameters { EventParameters() }

    /// Tracks an event by walking its services.
    public func track(_ event: some CoreTrackable) {
        let scope = scope
        var services = event.services
        if !scope.isEmpty || scope.hasSensitive {
            for index in services.indices { services[index].scope(by: scope) }
        }
        track(services)
    }

    private func track(_ services: [EventService]) {
        for service in services {
            switch service {
            case .firebase(let event): firebaseService.track(event)
            case .awesomeTracking(let event): awesomeTrackingService.track(event)
            case .vendor(let event): vendorService.track(event)
            }
        }
    }

    /// Returns a tracker over the same services.
    public func scoped(by defaults: EventParameters) -> any CoreTracker {
        ScopedTracker(outer: self, defaults: defaults)
    }
}

/// The services of a tracker, in a narrower scope.
private struct ScopedTracker<Outer: CoreTracker>: CoreTracker {
    let outer: Outer
    let defaults: EventParameters

    var firebaseService: any FirebaseService { outer.firebaseService }
    var awesomeTrackingService: any AwesomeTrackingService { outer.awesomeTrackingService }
    var vendorService: any VendorService { outer.vendorService }
    var scope: EventParameters { outer.scope.merging(defaults) }
}
