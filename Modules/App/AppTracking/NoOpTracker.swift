public import CoreTracker

/// A tracker that tracks no events, for previews and for views without a product's tracker.
public struct NoOpTracker: CoreTracker {
    private struct SilentService: FirebaseService, AwesomeTrackingService, VendorService {
        func track(_ event: FirebaseEvent) {}
        func track(_ event: AwesomeTrackingEvent) {}
        func track(_ event: VendorEvent) {}
    }

    /// Creates a tracker.
    public init() {}

    public var firebaseService: any FirebaseService { SilentService() }
    public var awesomeTrackingService: any AwesomeTrackingService { SilentService() }
    public var vendorService: any VendorService { SilentService() }

    public func track(_ event: some CoreTrackable) {}
}
