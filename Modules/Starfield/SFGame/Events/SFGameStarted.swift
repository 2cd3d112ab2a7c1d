public import CoreTracker

/// A game started.
public struct SFGameStarted: CoreTrackable {
    /// The number of enemies.
    public let enemies: Int

    /// Creates an event.
    ///
    /// - Parameter enemies: The number of enemies.
    public init(enemies: Int) {
        self.enemies = enemies
    }

    public var services: [EventService] {
        FirebaseEvent("game_start", [.enemies(enemies)])
        AwesomeTrackingEvent("game_started", [.enemies(enemies)])
    }
}

extension SFGameStarted: PlannedEvent {
    public static var plan: EventPlan<SFGameStarted> {
        EventPlan(
            "Game started",
            owner: .sfGame,
            purpose: "How often games are started.",
            introduced: "1.0",
            examples: [SFGameStarted(enemies: 20)]
        )
    }
}
