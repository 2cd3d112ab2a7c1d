public import CoreTracker

/// The player moved from one screen to another.
public struct SFNavigated: CoreTrackable {
    /// The screen that opened.
    public let toView: String
    /// The previous screen.
    public let fromView: String

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - toView: The screen that opened.
    ///   - fromView: The previous screen.
    public init(toView: String, fromView: String) {
        self.toView = toView
        self.fromView = fromView
    }

    public var services: [EventService] {
        FirebaseEvent("screen_view", [.screenName(toView)])
        AwesomeTrackingEvent("screen_opened", [.screen(toView), .previousScreen(fromView)])
    }
}

extension SFNavigated: PlannedEvent {
    public static var plan: EventPlan<SFNavigated> {
        EventPlan(
            "Screen opened",
            owner: .sfTracker,
            purpose: "Which ways players take through the screens.",
            introduced: "1.0",
            examples: [SFNavigated(toView: "game", fromView: "menu")]
        )
    }
}
