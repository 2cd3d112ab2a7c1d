public import CoreTracker

extension EventCatalog {
    /// The events of Starfield's game.
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
    /// Who answers for the events of this module.
    static let sfGame: EventOwner = "Starfield game"
}
