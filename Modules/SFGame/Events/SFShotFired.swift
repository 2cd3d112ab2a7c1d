public import CoreTracker

/// A ship shot; there are too many for Firebase.
public struct SFShotFired: CoreTrackable {
    /// Whose ship it was.
    public let side: SFSide

    /// Creates the event.
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
