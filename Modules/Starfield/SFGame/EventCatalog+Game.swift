public import CoreTracker

extension EventCatalog {
    /// The catalog of the events of Starfield's game.
    public static let sfGame = EventCatalog(
        "SFGame",
        product: "SF",
        scope: .game,
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
