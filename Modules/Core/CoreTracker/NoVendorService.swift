import Locks

/// A vendor service that sends nothing and counts each event.
///
/// It is the default of ``CoreTracker/CoreTracker/vendorService``. If a product's tracker delivers through an engine,
/// `NoVendorService(product:delivery:)` of EventDelivery counts on the vendor's lane instead, with the reason
/// `no_vendor_service`. To send events to vendors, pass the tracker a service such as the `Tracker` of MultiTracker.
public struct NoVendorService: VendorService {
    private static let total = Mutex<[TrackerType: Int]>([:])
    /// The maximum number of vendors that are counted separately.
    ///
    /// Events for further vendors are counted together.
    private static let maximumTypes = 64
    private static let otherVendors: TrackerType = "other"

    private let count: @Sendable (VendorEvent) -> Void

    /// Creates a service that counts in ``droppedEvents``.
    public init() {
        self.init(counting: NoVendorService.countInProcess)
    }

    /// Creates a service that passes each event to a closure.
    ///
    /// - Parameter count: Counts the event. It is called on the thread that tracks the event and returns without
    ///   waiting.
    public init(counting count: @escaping @Sendable (VendorEvent) -> Void) {
        self.count = count
    }

    public func track(_ event: VendorEvent) { count(event) }

    /// The number of events dropped by all services of this process that ``init()`` created, by vendor.
    ///
    /// The count is for diagnosis; no tracker reads it. If there are more than 64 vendors, events of the later ones are
    /// counted under `other`.
    public static var droppedEvents: [TrackerType: Int] { total.withLock { $0 } }

    private static func countInProcess(_ event: VendorEvent) {
        total.withLock { total in
            let isKnown = total[event.type] != nil || total.count < maximumTypes
            total[isKnown ? event.type : otherVendors, default: 0] += 1
        }
    }
}
