import CoreTracker

/// The names that the leaderboard's event has.
extension EventParameter {
    /// How many players are shown.
    static let players = Key<Int>("players")
    /// The order that they are shown in.
    static let sort = Key<SFPlayerOrder>("sort")
    /// The feature that an event comes from.
    static let feature = Key<String>("feature")
    /// The screen that an event comes from.
    static let screen = Key<String>("screen")
}
