public import CoreTracker

/// The default parameters of each service.
///
/// Firebase gets none, because it accepts at most 25 per event.
extension SFSettings {
    /// The default parameters that every Starfield event has in AwesomeTracking.
    public var awesomeTrackingDefaults: EventParameters {
        [
            .channel("starfield"), .productID("SF"), .mode(mode), .platform(AwesomeTrackingPlatform.current),
        ]
    }
}
