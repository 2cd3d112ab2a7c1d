import CoreTracker
import EventDelivery

/// What Acme's app says of itself while it runs.
public struct ACSettings: Sendable {
    public var country = "TR"

    public static let current = ProductSettings(ACSettings()) { [EventParameter("country", $0.country)] }
}

/// Acme's services on a delivery engine.
public enum ACServices {
    public static func firebase(on delivery: DeliveryEngine = .shared) -> some FirebaseService {
        LaneService(product: "AC", delivery: delivery)
    }

    public static func awesomeTracking(on delivery: DeliveryEngine = .shared) -> some AwesomeTrackingService {
        ScopedService(LaneService(product: "AC", delivery: delivery)) { ACSettings.current.defaults }
    }

    public static func vendors(on delivery: DeliveryEngine = .shared) -> some VendorService {
        LaneService(product: "AC", delivery: delivery)
    }
}

/// Acme's tracker.
public struct ACTracker: CoreTracker {
    public let firebaseService: any FirebaseService = ACServices.firebase()
    public let awesomeTrackingService: any AwesomeTrackingService = ACServices.awesomeTracking()
    public let vendorService: any VendorService = ACServices.vendors()

    public init() {}
}
