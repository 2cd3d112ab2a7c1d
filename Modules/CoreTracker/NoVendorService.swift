import Locks

/// The vendor service of a tracker that was given no other: it sends nothing and counts each event.
///
/// It is the default of ``CoreTracker/CoreTracker/vendorService``. For a product whose tracker delivers through an
/// engine, `NoVendorService(product:delivery:)` of EventDelivery counts on the lane of the vendor instead, with the
/// reason `no_vendor_service`. To send events to vendors, pass the tracker a service such as the `Tracker` of
/// MultiTracker.
public struct NoVendorService: VendorService {
    private static let total = Mutex<[TrackerType: Int]>([:])
    /// The greatest number of vendors that are counted one by one; events for further vendors are counted together.
    private static let maximumTypes = 64
    private static let otherVendors: TrackerType = "other"

    private let count: @Sendable (VendorEvent) -> Void

    /// Creates a service that counts in ``droppedEvents``.
    public init() {
        self.init(counting: NoVendorService.countInProcess)
    }

    /// Creates a service that hands each event to a closure, which counts it and returns at once.
    public init(counting count: @escaping @Sendable (VendorEvent) -> Void) {
        self.count = count
    }

    public func track(_ event: VendorEvent) { count(event) }

    /// The events that all services of this process made by ``init()`` have dropped, by vendor.
    ///
    /// It is a count for diagnosis; no tracker reads it. From the 65th vendor on events are counted under `other`.
    public static var droppedEvents: [TrackerType: Int] { total.withLock { $0 } }

    private static func countInProcess(_ event: VendorEvent) {
        total.withLock { total in
            let isKnown = total[event.type] != nil || total.count < maximumTypes
            total[isKnown ? event.type : otherVendors, default: 0] += 1
        }
    }
}
