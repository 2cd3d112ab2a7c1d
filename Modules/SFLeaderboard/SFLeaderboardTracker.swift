public import CoreTracker
public import SFTracker

/// The tracker of Starfield's leaderboard: the product's services, and the feature's own default parameters.
///
/// Made without arguments it is safe everywhere: until the app opens the delivery engine, nothing is sent.
public struct SFLeaderboardTracker: CoreTracker {
    public let firebaseService: any FirebaseService
    public let awesomeTrackingService: any AwesomeTrackingService
    public let vendorService: any VendorService
    public var scope: EventParameters { .leaderboard }

    /// Creates a tracker; an app or a test replaces the services that it wants to be others.
    public init(
        firebaseService: any FirebaseService = SFTracker.standard.firebaseService,
        awesomeTrackingService: any AwesomeTrackingService = SFTracker.standard.awesomeTrackingService,
        vendorService: any VendorService = SFTracker.standard.vendorService
    ) {
        self.firebaseService = firebaseService
        self.awesomeTrackingService = awesomeTrackingService
        self.vendorService = vendorService
    }
}

extension EventParameters {
    /// What each event of the leaderboard carries by default.
    static let leaderboard: EventParameters = [.screen("leaderboard"), .feature("leaderboard")]
}
