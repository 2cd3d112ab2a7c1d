import CoreTracker
import EventBuffer

/// The values of Acme's app that change while it runs.
public struct ACSettings: Sendable {
    public var country = "TR"

    public static let current = ProductSettings(ACSettings()) { [EventParameter("country", $0.country)] }
}

public struct ACAwesomeTrackingService: AwesomeTrackingService {
    private let service = LaneService(product: "AC")

    public init() {}

    public func track(_ event: AwesomeTrackingEvent) {
        service.track(event.scoped(by: ACSettings.current.defaults))
    }
}

public struct ACTracker: CoreTracker {
    public let firebaseService: any FirebaseService
    public let awesomeTrackingService: any AwesomeTrackingService

    public init(
        firebaseService: any FirebaseService = LaneService(product: "AC"),
        awesomeTrackingService: any AwesomeTrackingService = ACAwesomeTrackingService()
    ) {
        self.firebaseService = firebaseService
        self.awesomeTrackingService = awesomeTrackingService
    }
}
