public import CoreTracker
public import EventBuffer

/// The settings of Acme's app that can change while it runs.
public struct ACSettings: Sendable {
    /// The country that the app serves.
    public var country: String

    /// Creates settings.
    public init(country: String = "TR") {
        self.country = country
    }

    /// The default parameters that every event of Acme has in AwesomeTracking.
    public var awesomeTrackingDefaults: EventParameters { [EventParameter("country", country)] }

    /// The settings of the running app.
    public static let current = ProductSettings(ACSettings()) { $0.awesomeTrackingDefaults }
}

/// The AwesomeTracking service of Acme, which adds the default parameters to each event.
public struct ACAwesomeTrackingService: AwesomeTrackingService {
    private let service = LaneService(product: "AC")

    /// Creates a service that delivers through `DeliveryEngine.shared`.
    public init() {}

    public func track(_ event: AwesomeTrackingEvent) {
        service.track(event.scoped(by: ACSettings.current.defaults))
    }
}

/// The tracker of Acme, with the product's services.
public struct ACTracker: CoreTracker {
    public let firebaseService: any FirebaseService
    public let awesomeTrackingService: any AwesomeTrackingService

    /// Creates a tracker from its services.
    public init(
        firebaseService: any FirebaseService = LaneService(product: "AC"),
        awesomeTrackingService: any AwesomeTrackingService = ACAwesomeTrackingService()
    ) {
        self.firebaseService = firebaseService
        self.awesomeTrackingService = awesomeTrackingService
    }
}
