import CoreTracker

/// The names that the leaderboard's event has.
extension EventParameter {
    /// How many players are shown.
    static let players = Key<Int>("players")
    /// The order that they are shown in.
    static let sort = Key<SFPlayerOrder>("sort")
}
