public import CoreTracker
import Locks

/// The services of a product: its lanes of a delivery engine, and the default parameters of its settings.
///
/// A product names itself and its settings once, and its tracker's default arguments are made of this value. Making a
/// service allocates a few objects and asks the engine for nothing; a lane is made when its first event comes.
/// `ProductServicesContract` in EventDeliveryTesting checks what a product has made of it.
public struct ProductServices: Sendable {
    private let product: String
    private let defaults: @Sendable (_ narrower: EventParameters) -> EventParameters
    private let route = VendorRoute()

    /// Creates the services of a product, by the product's prefix such as `DL`.
    public init<Settings>(product: String, settings: ProductSettings<Settings>) {
        self.product = product
        defaults = { settings.defaults(under: $0) }
    }

    /// Firebase: the lane `DL/firebase`, without the settings' defaults, since Firebase takes few parameters.
    public func firebase(on delivery: DeliveryEngine = .shared) -> some FirebaseService {
        LaneService(product: product, delivery: delivery)
    }

    /// AwesomeTracking: the lane `DL/awesomeTracking`, with the defaults that follow from the settings.
    public func awesomeTracking(on delivery: DeliveryEngine = .shared) -> some AwesomeTrackingService {
        awesomeTracking(over: LaneService(product: product, delivery: delivery))
    }

    /// AwesomeTracking over a service that products share, with the defaults that follow from the settings.
    public func awesomeTracking(over service: some AwesomeTrackingService) -> some AwesomeTrackingService {
        ScopedService(service, defaults: defaults)
    }

    /// The vendors: each vendor's lane, such as `DL/braze`, without the settings' defaults; or the app's own service,
    /// once ``routeVendors(to:)`` has named it.
    public func vendors(on delivery: DeliveryEngine = .shared) -> some VendorService {
        RoutedVendorService(lanes: LaneService(product: product, delivery: delivery), route: route)
    }

    /// Hands the product's vendor events to a service of the app from now on, on whatever thread they are tracked.
    ///
    /// That is the `Tracker` of MultiTracker with which the app has registered its vendors: a vendor that its
    /// configuration has switched off gets no event of a feature either, and the refusal is counted there. Without it,
    /// or after `nil`, events go straight to the vendors' lanes.
    public func routeVendors(to service: (any VendorService)?) {
        // Routed to itself, an event would never end.
        if let routed = service as? RoutedVendorService, routed.route === route { return }
        route.service.withLock { $0 = service }
    }
}

/// Where a product's vendor events go instead of the lanes.
private final class VendorRoute: Sendable {
    let service = Mutex<(any VendorService)?>(nil)
}

/// A product's vendors, as the app has routed them at the moment of `track`.
private struct RoutedVendorService: VendorService {
    let lanes: LaneService
    let route: VendorRoute

    func track(_ event: VendorEvent, type: TrackerType) {
        if let service = route.service.withLock({ $0 }) {
            service.track(event, type: type)
        } else {
            lanes.track(event, type: type)
        }
    }
}
