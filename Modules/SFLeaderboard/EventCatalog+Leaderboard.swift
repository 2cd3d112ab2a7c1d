public import CoreTracker

extension EventCatalog {
    /// The events of Starfield's leaderboard.
    public static let sfLeaderboard = EventCatalog(
        "SFLeaderboard",
        product: "SF",
        scope: .leaderboard,
        events: [
            SFLeaderboardViewed.self
        ]
    )
}

extension EventOwner {
    /// Who answers for the events of this module.
    static let sfLeaderboard: EventOwner = "Starfield leaderboard"
}
