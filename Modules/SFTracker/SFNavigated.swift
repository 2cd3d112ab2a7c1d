public import CoreTracker

/// The player went from one screen to another.
public struct SFNavigated: CoreTrackable {
    /// The screen that came up.
    public let toView: String
    /// The screen before it.
    public let fromView: String

    /// Creates the event.
    public init(toView: String, fromView: String) {
        self.toView = toView
        self.fromView = fromView
    }

    public var services: [EventService] {
        [
            .firebase(FirebaseEvent(name: "screen_view", parameters: ["screen_name": .string(toView)])),
            .awesomeTracking(
                AwesomeTrackingEvent(
                    name: "screen_opened",
                    parameters: ["screen": .string(toView), "previous_screen": .string(fromView)]
                )
            ),
        ]
    }
}

extension SFNavigated: PlannedEvent {
    public static var plan: EventPlan<SFNavigated> {
        EventPlan(
            "Screen opened",
            owner: .sfTracker,
            purpose: "Which ways players take through the screens.",
            examples: [SFNavigated(toView: "game", fromView: "menu")]
        )
    }
}
