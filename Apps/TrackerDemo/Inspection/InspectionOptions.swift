/// What the user has asked for with `--inspect`.
struct InspectionOptions: Sendable, Equatable {
    /// The inspector's port, 0 for any free one; `nil` where there is no inspector.
    var port: UInt16?
    /// Whether the plan's examples are tracked instead of the journey.
    var tracksExamples = false
    /// The module or the event whose examples are tracked; `nil` for all.
    var examples: String?
    /// Whether an event is tracked that the inspector has to find fault with.
    var hasFault = false
    /// The folder of the tracking plan.
    var plan: String?

    /// Whether there is an inspector.
    var isOn: Bool { port != nil }
}
