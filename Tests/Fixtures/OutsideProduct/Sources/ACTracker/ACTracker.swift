import CoreTracker
import EventDelivery

/// What Acme's app says of itself while it runs.
public struct ACSettings: Sendable {
    public var country = "TR"

    public static let current = ProductSettings(ACSettings()) { [EventParameter("country", $0.country)] }
}

public struct ACTracker: CoreTracker {
    public static let services = ProductServices(product: "AC", settings: ACSettings.current)
    public static let standard = ACTracker()

    public let firebaseService: any FirebaseService = services.firebase()
    public let awesomeTrackingService: any AwesomeTrackingService = services.awesomeTracking()
    public let vendorService: any VendorService = services.vendors()
}
