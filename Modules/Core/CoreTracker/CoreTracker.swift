/// A tracker for presenters.
///
/// It passes each part of an event to one of the product's injected services.
///
/// Contract: `track` may be called from any thread or actor. It is synchronous and returns without waiting for the disk
/// or the network. If one thread tracks several events, each service receives them in that order. `CoreTrackerContract`
/// in `CoreTrackerTesting` checks the contract.
///
/// `track` is a protocol requirement. A presenter's test replaces the whole tracker by a mock, which receives the typed
/// event before the call returns.
///
/// ```swift
/// let product = DLProduct(id: "7", price: 35.79, currency: "TRY")
/// let tracker = MockTracker()
/// let presenter = DLProductDetailPresenter(product: product, tracker: tracker)
///
/// presenter.appear()
///
/// tracker.expect([DLProductViewed(product: product)])
/// ```
public protocol CoreTracker: Sendable {
    /// The product's Firebase service.
    var firebaseService: any FirebaseService { get }
    /// The product's AwesomeTracking service.
    var awesomeTrackingService: any AwesomeTrackingService { get }
    /// The service for the product's registered vendors.
    ///
    /// The default is a ``NoVendorService``. It sends nothing, and counts each event in the tracker's other services,
    /// if one of them is a ``LossLedger``.
    var vendorService: any VendorService { get }
    /// The tracker's default parameters, such as a feature's screen, with those of the tracker that it wraps.
    ///
    /// Empty by default.
    ///
    /// They are read inside each `track`. They override the default parameters of a service. The event's own parameters
    /// override them: automatic < product < feature < own.
    var allDefaults: EventParameters { get }
    /// Tracks an event by passing each of its parts to a service, in the event's order.
    ///
    /// - Parameter event: The event.
    func track(_ event: some CoreTrackable)
    /// Returns a tracker with further default parameters, such as those of a flow or an A/B test.
    ///
    /// - Parameter defaults: The further default parameters. They override this tracker's.
    /// - Returns: A tracker with the same services.
    func withDefaults(_ defaults: EventParameters) -> any CoreTracker
}

extension CoreTracker {
    /// A service that sends nothing, and counts each event in the tracker's other services.
    public var vendorService: any VendorService {
        NoVendorService(ledger: ServiceLedger(services: [awesomeTrackingService, firebaseService]))
    }

    /// An empty set of parameters.
    public var allDefaults: EventParameters { EventParameters() }

    /// Tracks an event by passing each of its parts to a service, in the event's order.
    ///
    /// - Parameter event: The event. If the tracker has default parameters, they are added to each part.
    public func track(_ event: some CoreTrackable) {
        let defaults = allDefaults
        var services = event.services
        if !defaults.isNothing {
            for index in services.indices { services[index].addDefaults(defaults) }
        }
        passOn(&services)
    }

    /// Passes each part to its service, and removes it.
    ///
    /// Only the last element can be moved out of an array without a copy. `reverse()` would copy the parts, but in the
    /// array's buffer they are moved.
    private func passOn(_ services: inout [EventService]) {
        unsafe services.withUnsafeMutableBufferPointer { unsafe $0.reverse() }
        while let service = services.popLast() {
            switch consume service {
            case .firebase(let event): firebaseService.track(event)
            case .awesomeTracking(let event): awesomeTrackingService.track(event)
            case .vendor(let event): vendorService.track(event)
            }
        }
    }

    /// Returns a tracker with further default parameters, such as those of a flow or an A/B test.
    ///
    /// - Parameter defaults: The further default parameters. They override this tracker's.
    /// - Returns: A tracker with the same services.
    public func withDefaults(_ defaults: EventParameters) -> any CoreTracker {
        TrackerWithDefaults(outer: self, defaults: defaults)
    }
}

/// A tracker with the services of another tracker and further default parameters.
private struct TrackerWithDefaults<Outer: CoreTracker>: CoreTracker {
    let outer: Outer
    let defaults: EventParameters

    var firebaseService: any FirebaseService { outer.firebaseService }
    var awesomeTrackingService: any AwesomeTrackingService { outer.awesomeTrackingService }
    var vendorService: any VendorService { outer.vendorService }
    var allDefaults: EventParameters { outer.allDefaults.merging(defaults) }
}

/// An event of a feature module.
///
/// An event is a value with typed fields, declared in the module that owns it. There is no central list of events. Each
/// wire name is written once, next to the event.
///
/// ```swift
/// var services: [EventService] {
///     FirebaseEvent("view_cart", [.count(count)])
///     AwesomeTrackingEvent("basket_opened", [.count(count)])
/// }
/// ```
public protocol CoreTrackable: Sendable, CustomStringConvertible {
    /// The services that receive the event, one statement for each, in the order in which they are called.
    @EventServiceBuilder var services: [EventService] { get }
}
