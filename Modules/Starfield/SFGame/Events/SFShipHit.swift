public import CoreTracker

/// A ship lost a life.
///
/// The event is too frequent for Firebase.
public struct SFShipHit: CoreTrackable {
    /// The side that owns the ship.
    public let side: SFSide
    /// The number of lives that are left.
    public let livesLeft: Int

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - side: The side that owns the ship.
    ///   - livesLeft: The number of lives that are left.
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
