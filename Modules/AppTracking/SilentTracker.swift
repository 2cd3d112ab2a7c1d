public import CoreTracker

/// A tracker that tracks nothing: what previews and views without a product's tracker get.
public struct SilentTracker: CoreTracker {
    private struct SilentService: FirebaseService, AwesomeTrackingService, VendorService {
        func track(_ event: FirebaseEvent) {}
        func track(_ event: AwesomeTrackingEvent) {}
        func track(_ event: VendorEvent) {}
    }

    /// Creates it.
    public init() {}

    public var firebaseService: any FirebaseService { SilentService() }
    public var awesomeTrackingService: any AwesomeTrackingService { SilentService() }
    public var vendorService: any VendorService { SilentService() }

    public func track(_ event: some CoreTrackable) {}
}
