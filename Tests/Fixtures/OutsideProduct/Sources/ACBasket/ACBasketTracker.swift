import ACTracker
import CoreTracker

/// The tracker of Acme's basket: the product's services, and the feature's own default parameters.
public struct ACBasketTracker: CoreTracker {
    public let firebaseService: any FirebaseService
    public let awesomeTrackingService: any AwesomeTrackingService
    public let vendorService: any VendorService
    public var scope: EventParameters { [.screen("basket")] }

    public init(
        firebaseService: any FirebaseService = ACTracker.standard.firebaseService,
        awesomeTrackingService: any AwesomeTrackingService = ACTracker.standard.awesomeTrackingService,
        vendorService: any VendorService = ACTracker.standard.vendorService
    ) {
        self.firebaseService = firebaseService
        self.awesomeTrackingService = awesomeTrackingService
        self.vendorService = vendorService
    }
}
