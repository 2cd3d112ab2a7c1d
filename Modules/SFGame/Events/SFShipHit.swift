public import CoreTracker

/// A ship lost a life; there are too many for Firebase.
public struct SFShipHit: CoreTrackable {
    /// Whose ship it was.
    public let side: SFSide
    /// How many lives are left.
    public let livesLeft: Int

    /// Creates the event.
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
            purpose: "How well each side shoots.",
            introduced: "1.0",
            examples: SFSide.allCases.map { SFShipHit(side: $0, livesLeft: 1) }
        )
    }
}
