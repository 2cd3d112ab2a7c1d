/// A ledger of events that a tracker cannot pass to a service.
///
/// `LaneService` and `DeliveryLane` of EventTracking are ledgers: they count each loss on the lane of the event's
/// service, with a reason. ``PrintingService`` prints each loss.
///
/// Contract: `record(_:)` may be called from any thread, and returns without waiting for the disk or the network.
public protocol LossLedger: Sendable {
    /// Counts an event that no service gets, or reports another fault.
    ///
    /// - Parameter loss: The loss.
    func record(_ loss: TrackingLoss)
}

/// A loss before an event reaches a service.
public enum TrackingLoss: Sendable, Hashable {
    /// An event was tracked without a product's tracker.
    ///
    /// The associated value is the name of the service that did not get it.
    case noTracker(service: String)
    /// The product's tracker has no service for an event of this vendor.
    case noVendorService(TrackerType)
    /// No tracker is registered under the type of an event's vendor.
    case notRegistered(TrackerType, registered: [TrackerType])
    /// The app's configuration disables the vendor of an event.
    case disabled(TrackerType)
    /// The tracker of an event's vendor records no named events.
    case withoutEvents(TrackerType)
    /// The user has denied the purpose of an event's vendor.
    case withoutConsent(TrackerType)
    /// A second tracker of the type was not registered, and gets no event.
    ///
    /// No event is counted.
    case duplicateRegistration(TrackerType)
}

extension TrackingLoss: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noTracker(let service): "\(service): no tracker"
        case .noVendorService(let type): "vendor \(type): no vendor service"
        case .notRegistered(let type, _): "vendor \(type): not registered"
        case .disabled(let type): "vendor \(type): disabled"
        case .withoutEvents(let type): "vendor \(type): records no named events"
        case .withoutConsent(let type): "vendor \(type): no consent"
        case .duplicateRegistration(let type): "vendor \(type): a second tracker was not registered, and gets no event"
        }
    }
}

/// A ledger that forwards each loss to the first `LossLedger` among services.
struct ServiceLedger: LossLedger {
    let services: [any Sendable]

    func record(_ loss: TrackingLoss) {
        services.lazy.compactMap { $0 as? any LossLedger }.first?.record(loss)
    }
}
