import CoreTracker

/// The names that the events of Starfield's screens, and its in-house events' defaults, have.
extension EventParameter {
    /// The app that an event comes from.
    static let channel = Key<String>("channel")
    /// The control that was used.
    static let control = Key<SFTapped.Control>("control")
    /// How a game is played.
    static let mode = Key<SFMode>("mode")
    /// The platform that the app runs on.
    static let platform = Key<String>("platform")
    /// AwesomeTracking: the screen before.
    static let previousScreen = Key<String>("previous_screen")
    /// The id of Starfield itself.
    static let productID = Key<String>("product_id")
    /// AwesomeTracking: the screen that came up, or that a control was used on.
    static let screen = Key<String>("screen")
    /// Firebase: the screen that came up.
    static let screenName = Key<String>("screen_name")
}
