public import CoreTracker

/// A ship fired a shot.
///
/// The event is too frequent for Firebase.
public struct SFShotFired: CoreTrackable {
    /// The side that owns the ship.
    public let side: SFSide

    /// Creates an event.
    ///
    /// - Parameter side: The side that owns the ship.
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
            purpose: "How much is shot, and by whom.",
            introduced: "1.0",
            examples: SFSide.allCases.map { SFShotFired(side: $0) }
        )
    }
}
