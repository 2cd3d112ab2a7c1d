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

/// A ship fired a shot.
///
/// The event is too frequent for Firebase.
public struct SFShotFired: CoreTrackable {
    /// The ship's side.
    public let side: SFSide

    /// Creates an event.
    ///
    /// - Parameter side: The ship's side.
    public init(side: SFSide) {
        self.side = side
    }

    public var services: [EventService] {
        AwesomeTrackingEvent("shot_fired", [.side(side)])
    }
}

extension SFShotFired: PlannedEvent {
    public static var plan: EventPlan<SFShotFired> {
        EventPlan(
            "Shot fired",
            owner: .sfGame,
            purpose: "How many shots are fired, and by which side.",
            introduced: "1.0",
            examples: SFSide.allCases.map { SFShotFired(side: $0) }
        )
    }
}

/// A ship lost a life.
///
/// The event is too frequent for Firebase.
public struct SFShipHit: CoreTrackable {
    /// The ship's side.
    public let side: SFSide
    /// The number of remaining lives.
    public let livesLeft: Int

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - side: The ship's side.
    ///   - livesLeft: The number of remaining lives.
    public init(side: SFSide, livesLeft: Int) {
        self.side = side
        self.livesLeft = livesLeft
    }

    public var services: [EventService] {
        AwesomeTrackingEvent("ship_hit", [.side(side), .lives(livesLeft)])
    }
}

extension SFShipHit: PlannedEvent {
    public static var plan: EventPlan<SFShipHit> {
        EventPlan(
            "Ship hit",
            owner: .sfGame,
            purpose: "How often the shots of each side hit.",
            introduced: "1.0",
            examples: SFSide.allCases.map { SFShipHit(side: $0, livesLeft: 1) }
        )
    }
}

/// A ship lost its last life.
public struct SFShipDestroyed: CoreTrackable {
    /// The side that owned the ship.
    public let side: SFSide

    /// Creates an event.
    ///
    /// - Parameter side: The side that owned the ship.
    public init(side: SFSide) {
        self.side = side
    }

    public var services: [EventService] {
        FirebaseEvent("ship_destroyed", [.side(side)])
        AwesomeTrackingEvent("ship_destroyed", [.side(side)])
    }
}

extension SFShipDestroyed: PlannedEvent {
    public static var plan: EventPlan<SFShipDestroyed> {
        EventPlan(
            "Ship destroyed",
            owner: .sfGame,
            purpose: "How many ships each side loses.",
            introduced: "1.0",
            examples: SFSide.allCases.map { SFShipDestroyed(side: $0) }
        )
    }
}

/// The player reached a new level.
///
/// Firebase's event is a recommended one.
public struct SFLevelUp: CoreTrackable {
    /// The new level.
    public let level: Int

    /// Creates an event.
    ///
    /// - Parameter level: The new level.
    public init(level: Int) {
        self.level = level
    }

    public var services: [EventService] {
        FirebaseEvent("level_up", [.level(level)])
        AwesomeTrackingEvent("level_up", [.level(level)])
    }
}

extension SFLevelUp: PlannedEvent {
    public static var plan: EventPlan<SFLevelUp> {
        EventPlan(
            "Level up",
            owner: .sfGame,
            purpose: "How far players get.",
            introduced: "1.0",
            examples: [SFLevelUp(level: 2)]
        )
    }
}

/// A game ended.
///
/// Firebase's event is the recommended one for scores.
public struct SFGameOver: CoreTrackable {
    /// The result of the game.
    public let outcome: SFOutcome
    /// The player's points.
    public let score: Int
    /// The player's highest level.
    public let level: Int
    /// The number of played steps.
    public let steps: Int

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - outcome: The result of the game.
    ///   - score: The player's points.
    ///   - level: The player's highest level.
    ///   - steps: The number of played steps.
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
