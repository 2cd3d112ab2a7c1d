import CoreTracker

/// A game started.
struct SFGameStarted: CoreTrackable {
    /// The number of enemies.
    let enemies: Int

    /// Creates an event.
    ///
    /// - Parameter enemies: The number of enemies.
    init(enemies: Int) {
        self.enemies = enemies
    }

    var services: [EventService] {
        FirebaseEvent("game_start", [.enemies(enemies)])
        AwesomeTrackingEvent("game_started", [.enemies(enemies)])
    }
}

extension SFGameStarted: PlannedEvent {
    static var plan: EventPlan<SFGameStarted> {
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
struct SFShotFired: CoreTrackable {
    /// The ship's side.
    let side: SFSide

    /// Creates an event.
    ///
    /// - Parameter side: The ship's side.
    init(side: SFSide) {
        self.side = side
    }

    var services: [EventService] {
        AwesomeTrackingEvent("shot_fired", [.side(side)])
    }
}

extension SFShotFired: PlannedEvent {
    static var plan: EventPlan<SFShotFired> {
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
struct SFShipHit: CoreTrackable {
    /// The ship's side.
    let side: SFSide
    /// The number of remaining lives.
    let livesLeft: Int

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - side: The ship's side.
    ///   - livesLeft: The number of remaining lives.
    init(side: SFSide, livesLeft: Int) {
        self.side = side
        self.livesLeft = livesLeft
    }

    var services: [EventService] {
        AwesomeTrackingEvent("ship_hit", [.side(side), .lives(livesLeft)])
    }
}

extension SFShipHit: PlannedEvent {
    static var plan: EventPlan<SFShipHit> {
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
struct SFShipDestroyed: CoreTrackable {
    /// The side that owned the ship.
    let side: SFSide

    /// Creates an event.
    ///
    /// - Parameter side: The side that owned the ship.
    init(side: SFSide) {
        self.side = side
    }

    var services: [EventService] {
        FirebaseEvent("ship_destroyed", [.side(side)])
        AwesomeTrackingEvent("ship_destroyed", [.side(side)])
    }
}

extension SFShipDestroyed: PlannedEvent {
    static var plan: EventPlan<SFShipDestroyed> {
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
struct SFLevelUp: CoreTrackable {
    /// The new level.
    let level: Int

    /// Creates an event.
    ///
    /// - Parameter level: The new level.
    init(level: Int) {
        self.level = level
    }

    var services: [EventService] {
        FirebaseEvent("level_up", [.level(level)])
        AwesomeTrackingEvent("level_up", [.level(level)])
    }
}

extension SFLevelUp: PlannedEvent {
    static var plan: EventPlan<SFLevelUp> {
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
struct SFGameOver: CoreTrackable {
    /// The result of the game.
    let outcome: SFOutcome
    /// The player's points.
    let score: Int
    /// The player's highest level.
    let level: Int
    /// The number of played steps.
    let steps: Int

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - outcome: The result of the game.
    ///   - score: The player's points.
    ///   - level: The player's highest level.
    ///   - steps: The number of played steps.
    init(outcome: SFOutcome, score: Int, level: Int, steps: Int) {
        self.outcome = outcome
        self.score = score
        self.level = level
        self.steps = steps
    }

    var services: [EventService] {
        FirebaseEvent("post_score", [.score(score), .level(level)])
        AwesomeTrackingEvent("game_over", [.outcome(outcome), .steps(steps), .score(score), .level(level)])
    }
}

extension SFGameOver: PlannedEvent {
    static var plan: EventPlan<SFGameOver> {
        EventPlan(
            "Game over",
            owner: .sfGame,
            purpose: "How games end, after how long, and with which score.",
            introduced: "1.0",
            examples: SFOutcome.allCases.map { SFGameOver(outcome: $0, score: 240, level: 2, steps: 900) }
        )
    }
}
