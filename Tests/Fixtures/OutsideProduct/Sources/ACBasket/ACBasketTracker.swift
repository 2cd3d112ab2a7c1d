import ACTracker
import CoreTracker

/// The tracker of Acme's basket: the product's services, and the feature's own default parameters.
public struct ACBasketTracker: CoreTracker {
    public let firebaseService: any FirebaseService
    public let awesomeTrackingService: any AwesomeTrackingService
    public let vendorService: any VendorService
    public var scope: EventParameters { [.screen("basket")] }

    public init(
        firebaseService: any FirebaseService = ACServices.firebase(),
        awesomeTrackingService: any AwesomeTrackingService = ACServices.awesomeTracking(),
        vendorService: any VendorService = ACServices.vendors()
    ) {
        self.firebaseService = firebaseService
        self.awesomeTrackingService = awesomeTrackingService
        self.vendorService = vendorService
    }
}
