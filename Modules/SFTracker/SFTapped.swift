public import CoreTracker

/// The player used a control that every screen has; Firebase does not care for it.
public struct SFTapped: CoreTrackable {
    /// A control that every screen has.
    public enum Control: String, ParameterRepresentable, Hashable, CaseIterable {
        /// The way back.
        case back
        /// The way to the settings.
        case settings
    }

    /// The control.
    public let control: Control
    /// The screen that it was used on.
    public let fromView: String

    /// Creates the event.
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
