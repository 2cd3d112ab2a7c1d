public import CoreTracker

/// The player used a control that every screen has.
///
/// The event is not sent to Firebase.
public struct SFTapped: CoreTrackable {
    /// A control that every screen has.
    public enum Control: String, ParameterRepresentable, Hashable, CaseIterable {
        /// The back control.
        case back
        /// The control that opens the settings.
        case settings
    }

    /// The control that the player used.
    public let control: Control
    /// The screen of the control.
    public let fromView: String

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - control: The control that the player used.
    ///   - fromView: The screen of the control.
    public init(control: Control, fromView: String) {
        self.control = control
        self.fromView = fromView
    }

    public var services: [EventService] {
        AwesomeTrackingEvent("control_tapped", [.control(control), .screen(fromView)])
    }
}

extension SFTapped: PlannedEvent {
    public static var plan: EventPlan<SFTapped> {
        EventPlan(
            "Control tapped",
            owner: .sfTracker,
            purpose: "How often the way back and the settings are used, and on which screens.",
            introduced: "1.0",
            examples: Control.allCases.map { SFTapped(control: $0, fromView: "game") }
        )
    }
}
