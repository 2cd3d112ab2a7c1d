public import CoreTracker

/// A game ended; Firebase's name for it is the recommended one for a score.
public struct SFGameOver: CoreTrackable {
    /// How it ended.
    public let outcome: SFOutcome
    /// The player's points.
    public let score: Int
    /// The level that was reached.
    public let level: Int
    /// How many steps of the clock were played.
    public let steps: Int

    /// Creates the event.
    public init(outcome: SFOutcome, score: Int, level: Int, steps: Int) {
        self.outcome = outcome
        self.score = score
        self.level = level
        self.steps = steps
    }

    public var services: [EventService] {
        FirebaseEvent("post_score", [.score(score), .level(level)])
        AwesomeTrackingEvent("game_over", [.outcome(outcome), .steps(steps), .score(score), .level(level)])
    }
}

extension SFGameOver: PlannedEvent {
    public static var plan: EventPlan<SFGameOver> {
        EventPlan(
            "Game over",
            owner: .sfGame,
            purpose: "How games end, after how long, and with which score.",
            introduced: "1.0",
            examples: SFOutcome.allCases.map { SFGameOver(outcome: $0, score: 240, level: 2, steps: 900) }
        )
    }
}
