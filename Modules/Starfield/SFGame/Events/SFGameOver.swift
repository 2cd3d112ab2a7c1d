public import CoreTracker

/// A game ended.
///
/// Firebase's event is the recommended one for scores.
public struct SFGameOver: CoreTrackable {
    /// The result of the game.
    public let outcome: SFOutcome
    /// The player's points.
    public let score: Int
    /// The highest level that the player reached.
    public let level: Int
    /// The number of steps that were played.
    public let steps: Int

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - outcome: The result of the game.
    ///   - score: The player's points.
    ///   - level: The highest level that the player reached.
    ///   - steps: The number of steps that were played.
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
