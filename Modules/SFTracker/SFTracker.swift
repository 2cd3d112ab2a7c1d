public import CoreTracker

/// The tracker of Starfield: `CoreTracker` with the product's own services.
///
/// Made without arguments it is safe everywhere: until the app opens the delivery engine, nothing is sent.
public struct SFTracker: CoreTracker {
    public let firebaseService: any FirebaseService
    public let awesomeTrackingService: any AwesomeTrackingService
    public let vendorService: any VendorService

    /// Creates a tracker; an app or a test replaces the services that it wants to be others.
    public init(
        firebaseService: any FirebaseService = SFServices.firebase(),
        awesomeTrackingService: any AwesomeTrackingService = SFServices.awesomeTracking(),
        vendorService: any VendorService = SFServices.vendors()
    ) {
        self.firebaseService = firebaseService
        self.awesomeTrackingService = awesomeTrackingService
        self.vendorService = vendorService
    }
}
