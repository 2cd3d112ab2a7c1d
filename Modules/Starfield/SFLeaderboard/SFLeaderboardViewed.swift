public import CoreTracker

/// The leaderboard was shown in an order.
///
/// The event contains no nicknames.
struct SFLeaderboardViewed: CoreTrackable {
    /// The order of the list.
    let order: SFPlayerOrder
    /// The number of players in the list.
    let players: Int

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - order: The order of the list.
    ///   - players: The number of players in the list.
    init(order: SFPlayerOrder, players: Int) {
        self.order = order
        self.players = players
    }

    var services: [EventService] {
        FirebaseEvent("leaderboard_view", [.sort(order), .players(players)])
        AwesomeTrackingEvent("leaderboard_viewed", [.sort(order), .players(players)])
    }
}

extension SFLeaderboardViewed: PlannedEvent {
    static var plan: EventPlan<SFLeaderboardViewed> {
        EventPlan(
            "Leaderboard viewed",
            owner: .sfLeaderboard,
            purpose: "How often players view the leaderboard, and in which order.",
            introduced: "1.0",
            examples: SFPlayerOrder.allCases.map { SFLeaderboardViewed(order: $0, players: 12) }
        )
    }
}

extension EventCatalog {
    /// The catalog of the events of Starfield's leaderboard.
    public static let sfLeaderboard = EventCatalog(
        "SFLeaderboard",
        product: "SF",
        defaults: .leaderboard,
        events: [
            SFLeaderboardViewed.self
        ]
    )
}

extension EventOwner {
    /// The team that owns the events of this module.
    static let sfLeaderboard: EventOwner = "Starfield leaderboard"
}

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
