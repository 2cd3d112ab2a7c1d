public import CoreTracker

/// The player reached a new level.
///
/// Firebase's event is a recommended one.
public struct SFLevelUp: CoreTrackable {
    /// The new level.
    public let level: Int

    /// Creates an event.
    ///
    /// - Parameter level: The new level.
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
