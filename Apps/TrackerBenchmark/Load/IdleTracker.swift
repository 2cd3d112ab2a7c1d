import CoreTracker

/// A tracker whose services do nothing.
///
/// It measures the cost of the event.
struct IdleTracker: CoreTracker, FirebaseService, AwesomeTrackingService, VendorService {
    var firebaseService: any FirebaseService { self }
    var awesomeTrackingService: any AwesomeTrackingService { self }
    var vendorService: any VendorService { self }

    func track(_ event: FirebaseEvent) {}
    func track(_ event: AwesomeTrackingEvent) {}
    func track(_ event: VendorEvent) {}
}
