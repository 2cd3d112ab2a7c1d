public import CoreTracker

extension EventCatalog {
    /// The catalog of the events of Starfield's screens.
    public static let sfTracker = EventCatalog(
        "SFTracker",
        product: "SF",
        events: [
            SFNavigated.self,
            SFTapped.self,
        ]
    )
}

extension EventOwner {
    /// The team that owns the events of this module.
    static let sfTracker: EventOwner = "Starfield platform"
}

/// The parameter keys of Starfield's screen events and of its AwesomeTracking defaults.
extension EventParameter {
    /// The app that an event comes from.
    static let channel = Key<String>("channel")
    /// The control that the player used.
    static let control = Key<SFTapped.Control>("control")
    /// The mode in which the game is played.
    static let mode = Key<SFMode>("mode")
    /// The platform that the app runs on.
    static let platform = Key<String>("platform")
    /// AwesomeTracking: the previous screen.
    static let previousScreen = Key<String>("previous_screen")
    /// The id of Starfield itself.
    static let productID = Key<String>("product_id")
    /// AwesomeTracking: the screen that opened, or the screen of the control.
    static let screen = Key<String>("screen")
    /// Firebase: the screen that opened.
    static let screenName = Key<String>("screen_name")
}
