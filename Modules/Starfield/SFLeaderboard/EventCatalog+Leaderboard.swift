public import CoreTracker

extension EventCatalog {
    /// The catalog of the events of Starfield's leaderboard.
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
    /// The team that owns the events of this module.
    static let sfLeaderboard: EventOwner = "Starfield leaderboard"
}
