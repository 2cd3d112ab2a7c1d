import CoreTracker

/// The parameter keys of the leaderboard's event.
extension EventParameter {
    /// The number of players in the list.
    static let players = Key<Int>("players")
    /// The order of the players in the list.
    static let sort = Key<SFPlayerOrder>("sort")
    /// The feature that an event comes from.
    static let feature = Key<String>("feature")
    /// The screen that an event comes from.
    static let screen = Key<String>("screen")
}
