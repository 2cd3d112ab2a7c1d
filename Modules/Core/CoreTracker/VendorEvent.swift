/// An event for one vendor: the vendor's type, a name and parameters.
///
/// The vendor's module maps the parameters to its wire format. `VendorEvent(.braze, "product_liked", [.itemID("7")])`
/// is a statement in an event's `services`.
public struct VendorEvent: ServiceEvent {
    /// The type under which the app registers the vendor.
    public let type: TrackerType
    /// The event's name, such as `Order placed`.
    public var name: String
    public var parameters: EventParameters
    public var defaults = EventParameters()
    public var options: TrackOptions

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - type: The type under which the app registers the vendor.
    ///   - name: The event's name, such as `Order placed`.
    ///   - parameters: The event's own parameters. They override every default parameter.
    ///   - options: The event's durability and priority.
    @inlinable
    public init(
        _ type: TrackerType,
        _ name: String,
        _ parameters: EventParameters = [],
        options: TrackOptions = TrackOptions()
    ) {
        self.type = type
        self.name = name
        self.parameters = parameters
        self.options = options
    }

    /// Creates an event from two sets of parameters.
    ///
    /// - Parameters:
    ///   - type: The type under which the app registers the vendor.
    ///   - name: The event's name, such as `Order placed`.
    ///   - parameters: The first parameters.
    ///   - others: Further parameters. If a key is in both sets, the value is from this one and the position from the
    ///     first.
    ///   - options: The event's durability and priority.
    @inlinable
    public init(
        _ type: TrackerType,
        _ name: String,
        _ parameters: EventParameters,
        merging others: EventParameters,
        options: TrackOptions = TrackOptions()
    ) {
        self.init(type, name, parameters.merging(others), options: options)
    }
}

/// The name of a vendor.
///
/// Each vendor module adds its own constant.
///
/// `extension TrackerType { public static let braze: TrackerType = "braze" }`. Types are equal if their names are
/// equal.
public struct TrackerType: Sendable, Hashable {
    /// The vendor's name in configurations and reports.
    public let name: String

    /// Creates a type.
    ///
    /// - Parameter name: The vendor's name.
    public init(_ name: String) {
        self.name = name
    }
}

extension TrackerType: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {
        name = value
    }
}

extension TrackerType: CustomStringConvertible {
    public var description: String { name }
}

/// A service that accepts events for the vendors that an app has registered.
///
/// Contract: `track` may be called from any thread, and from inside another call of `track`. It returns without waiting
/// for the disk or the network. It does not throw. It counts the events that it rejects. `ServiceContract` in
/// `CoreTrackerTesting` checks the contract.
public protocol VendorService: Sendable {
    /// Tracks an event for the vendor of its type.
    ///
    /// Later changes do not affect it.
    ///
    /// - Parameter event: The event, with the type of its vendor.
    func track(_ event: VendorEvent)
}

/// A vendor service that sends nothing and counts each event in a ledger.
///
/// It is the default of ``CoreTracker/CoreTracker/vendorService``. The default parameters of product trackers use
/// `NoVendorService(product:on:)` of EventTracking, which counts on the vendor's lane with the reason
/// `no_vendor_service`. To send events to vendors, pass the tracker a service such as the `Tracker` of MultiTracker.
public struct NoVendorService: VendorService {
    private let ledger: any LossLedger

    /// Creates a service.
    ///
    /// - Parameter ledger: The ledger that counts each event.
    public init(ledger: any LossLedger) {
        self.ledger = ledger
    }

    public func track(_ event: VendorEvent) { ledger.record(.noVendorService(event.type)) }
}
