public import CoreTracker

extension EventCatalog {
    /// The catalog of the events of Starfield's game.
    public static let sfGame = EventCatalog(
        "SFGame",
        product: "SF",
        defaults: .game,
        events: [
            SFGameStarted.self,
            SFShotFired.self,
            SFShipHit.self,
            SFShipDestroyed.self,
            SFLevelUp.self,
            SFGameOver.self,
        ]
    )
}

extension EventOwner {
    /// The team that owns the events of this module.
    static let sfGame: EventOwner = "Starfield game"
}

/// The parameter keys of the game's events.
extension EventParameter {
    /// The number of enemies.
    static let enemies = Key<Int>("enemies")
    /// The level, from 1.
    ///
    /// Firebase uses the same name.
    static let level = Key<Int>("level")
    /// The number of lives that are left.
    static let lives = Key<Int>("lives")
    /// How a game ended.
    static let outcome = Key<SFOutcome>("outcome")
    /// The player's points.
    ///
    /// Firebase uses the same name.
    static let score = Key<Int>("score")
    /// The side that owns the ship.
    static let side = Key<SFSide>("side")
    /// The number of steps that were played.
    static let steps = Key<Int>("steps")
    /// The feature that an event comes from.
    static let feature = Key<String>("feature")
    /// The screen that an event comes from.
    static let screen = Key<String>("screen")
}
