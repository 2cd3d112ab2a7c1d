public import CoreTracker
import Locks

/// A service for Firebase, AwesomeTracking and vendors that tracks a product's events on the lanes of an engine.
///
/// A product's services are small types that wrap this one and add the product's default parameters. `track` returns in
/// about a microsecond. Nothing is sent until the app opens the engine. If a lane has no destination then, its events
/// are counted as dropped. As a vendor service, this type ignores the app's `TrackerConfig`.
public struct LaneService: FirebaseService, AwesomeTrackingService, VendorService {
    private let product: String
    private let engine: DeliveryEngine
    private let firebase = FirstUse()
    private let awesomeTracking = FirstUse()

    /// Creates the service of a product.
    ///
    /// - Parameters:
    ///   - product: The product's prefix, such as `DL`.
    ///   - engine: The engine that delivers the events. By default, the app's shared engine.
    public init(product: String, on engine: DeliveryEngine = .shared) {
        self.product = product
        self.engine = engine
    }

    public func track(_ event: FirebaseEvent) { firebaseLane.track(event) }
    public func track(_ event: AwesomeTrackingEvent) { awesomeTrackingLane.track(event) }
    public func track(_ event: VendorEvent) { lane(of: event).track(event) }

    /// Returns the lane of an event.
    package func lane(of event: FirebaseEvent) -> DeliveryLane { firebaseLane.lane }

    /// Returns the lane of an event.
    package func lane(of event: AwesomeTrackingEvent) -> DeliveryLane { awesomeTrackingLane.lane }

    /// Returns the lane of an event.
    package func lane(of event: VendorEvent) -> DeliveryLane {
        engine.lane(LaneID(product: product, service: event.type.name))
    }

    private var firebaseLane: FirstUse.Made { firebase.made { engine.lane(.firebase(product: product)) } }

    private var awesomeTrackingLane: FirstUse.Made {
        awesomeTracking.made { engine.lane(.awesomeTracking(product: product)) }
    }
}

extension NoVendorService {
    /// Creates the vendor service of a product whose tracker has no other vendor service.
    ///
    /// It counts each event on the lane of its vendor, such as `DL/braze`, as accepted and dropped with the reason
    /// `no_vendor_service`. The engine does not have to be open.
    ///
    /// - Parameters:
    ///   - product: The product's prefix, such as `DL`.
    ///   - engine: The engine that counts the events. By default, the app's shared engine.
    public init(product: String, on engine: DeliveryEngine = .shared) {
        self.init(ledger: LaneService(product: product, on: engine))
    }
}

extension LaneService: LossLedger {
    public func record(_ loss: TrackingLoss) { engine.buffer.record(loss, of: product) }
}

extension DeliveryLane: LossLedger {
    /// Counts a loss on the lane of its service, which has the same product as this lane.
    public func record(_ loss: TrackingLoss) { buffer.record(loss, of: id.product) }
}

/// Losses before an event reaches a lane.
extension EventBuffer {
    /// Counts a loss on the lane of its service.
    ///
    /// - Parameters:
    ///   - loss: The loss.
    ///   - product: The product of the lane.
    func record(_ loss: TrackingLoss, of product: String) {
        func drop(_ service: String, _ reason: DropReason) {
            lane(LaneID(product: product, service: service)).drop(reason)
        }
        switch loss {
        case .noTracker(let service): drop(service, .noTracker)
        case .noVendorService(let type): drop(type.name, .noVendorService)
        case .notRegistered(let type, let registered):
            // The lanes' lock is taken only if the list has changed.
            if registeredVendors.exchange(registered.hashValue, ordering: .relaxed) != registered.hashValue {
                withLanes { $0.noteVendors(registered.map(\.name)) }
            }
            drop(type.name, .vendorNotRegistered)
        case .disabled(let type): drop(type.name, .vendorDisabled)
        case .withoutEvents(let type): drop(type.name, .vendorWithoutEvents)
        case .withoutConsent(let type): drop(type.name, .consentDenied)
        case .duplicateRegistration(let type):
            diagnostics.sendOnce(.duplicateVendor(LaneID(product: product, service: type.name)))
        }
    }
}

/// A lane created for its first event.
///
/// A product therefore has no unused lanes.
private final class FirstUse: Sendable {
    /// A lane behind one reference, which a call retains instead of each part of the lane.
    final class Made: Sendable {
        let lane: DeliveryLane

        init(_ lane: DeliveryLane) {
            self.lane = lane
        }

        func track(_ event: some ServiceEvent) {
            lane.accept(event.name, event.parameters, event.defaults, event.options)
        }
    }

    private let lane = AtomicLazyReference<Made>()

    func made(_ make: () -> DeliveryLane) -> Made { lane.load() ?? lane.storeIfNil(Made(make())) }
}

extension DeliveryLane {
    /// Tracks the event of a service.
    ///
    /// - Parameters:
    ///   - event: The event. Its default parameters override `defaults`.
    ///   - defaults: The default parameters of a wider scope.
    public func track(_ event: some ServiceEvent, over defaults: EventParameters = [:]) {
        track(
            event.name,
            parameters: event.parameters,
            defaults: defaults.merging(event.defaults),
            options: event.options
        )
    }
}
