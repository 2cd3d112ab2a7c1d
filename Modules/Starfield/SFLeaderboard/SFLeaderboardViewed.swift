public import CoreTracker

/// The leaderboard was shown in an order.
///
/// The event contains no nicknames.
public struct SFLeaderboardViewed: CoreTrackable {
    /// The order of the list.
    public let order: SFPlayerOrder
    /// The number of players in the list.
    public let players: Int

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - order: The order of the list.
    ///   - players: The number of players in the list.
    public init(order: SFPlayerOrder, players: Int) {
        self.order = order
        self.players = players
    }

    public var services: [EventService] {
        FirebaseEvent("leaderboard_view", [.sort(order), .players(players)])
        AwesomeTrackingEvent("leaderboard_viewed", [.sort(order), .players(players)])
    }
}

extension SFLeaderboardViewed: PlannedEvent {
    public static var plan: EventPlan<SFLeaderboardViewed> {
        EventPlan(
            "Leaderboard viewed",
            owner: .sfLeaderboard,
            purpose: "How often players compare themselves, and by what.",
            introduced: "1.0",
            examples: SFPlayerOrder.allCases.map { SFLeaderboardViewed(order: $0, players: 12) }
        )
    }
}
