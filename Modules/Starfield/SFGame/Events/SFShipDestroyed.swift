public import CoreTracker

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
