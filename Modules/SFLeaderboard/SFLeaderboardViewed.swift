public import CoreTracker

/// The leaderboard was shown in an order; no nickname leaves the device.
public struct SFLeaderboardViewed: CoreTrackable {
    /// The order.
    public let order: SFPlayerOrder
    /// How many players were shown.
    public let players: Int

    /// Creates the event.
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
