public import CoreTracker
public import MultiTracker

/// A navigation capability that tracks moves between Starfield's screens as events.
///
/// ```swift
/// let navigation: any NavigationTrackable = SFNavigation(tracker: tracker)
/// ```
public struct SFNavigation: NavigationTrackable {
    private let tracker: any CoreTracker

    /// Creates a capability.
    ///
    /// - Parameter tracker: The tracker that receives the events.
    public init(tracker: any CoreTracker = SFTracker()) {
        self.tracker = tracker
    }

    public func trackNavigate(toView: String, fromView: String) {
        tracker.track(SFNavigated(toView: toView, fromView: fromView))
    }

    public func trackBackTap(fromView: String) {
        tracker.track(SFTapped(control: .back, fromView: fromView))
    }

    public func trackSettingsOpen(fromView: String) {
        tracker.track(SFTapped(control: .settings, fromView: fromView))
    }
}

/// The player moved from one screen to another.
package struct SFNavigated: CoreTrackable {
    /// The screen that opened.
    package let toView: String
    /// The previous screen.
    package let fromView: String

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - toView: The screen that opened.
    ///   - fromView: The previous screen.
    package init(toView: String, fromView: String) {
        self.toView = toView
        self.fromView = fromView
    }

    package var services: [EventService] {
        FirebaseEvent("screen_view", [.screenName(toView)])
        AwesomeTrackingEvent("screen_opened", [.screen(toView), .previousScreen(fromView)])
    }
}

extension SFNavigated: PlannedEvent {
    package static var plan: EventPlan<SFNavigated> {
        EventPlan(
            "Screen opened",
            owner: .sfTracker,
            purpose: "Which paths players take through the screens.",
            introduced: "1.0",
            examples: [SFNavigated(toView: "game", fromView: "menu")]
        )
    }
}

/// The player used a control that every screen has.
///
/// The event is not sent to Firebase.
package struct SFTapped: CoreTrackable {
    /// A control that every screen has.
    package enum Control: String, ParameterRepresentable, Hashable, CaseIterable {
        /// The back control.
        case back
        /// The control that opens the settings.
        case settings
    }

    /// The control used by the player.
    package let control: Control
    /// The screen of the control.
    package let fromView: String

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - control: The control used by the player.
    ///   - fromView: The screen of the control.
    package init(control: Control, fromView: String) {
        self.control = control
        self.fromView = fromView
    }

    package var services: [EventService] {
        AwesomeTrackingEvent("control_tapped", [.control(control), .screen(fromView)])
    }
}

extension SFTapped: PlannedEvent {
    package static var plan: EventPlan<SFTapped> {
        EventPlan(
            "Control tapped",
            owner: .sfTracker,
            purpose: "How often the back control and the settings are used, and on which screens.",
            introduced: "1.0",
            examples: Control.allCases.map { SFTapped(control: $0, fromView: "game") }
        )
    }
}
