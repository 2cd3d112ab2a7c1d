public import CoreTracker

/// The player reached a level; Firebase's name for it is a recommended one.
public struct SFLevelUp: CoreTrackable {
    /// The level.
    public let level: Int

    /// Creates the event.
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
