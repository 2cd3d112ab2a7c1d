/// The options of `--inspect`.
struct InspectionOptions: Sendable, Equatable {
    /// The inspector's port, with 0 for any free one, or `nil` without an inspector.
    var port: UInt16?
    /// Whether to track the plan's examples instead of the journey.
    var tracksExamples = false
    /// The module or event whose examples are tracked, or `nil` for all.
    var examples: String?
    /// Whether to track an event with a fault for the inspector to find.
    var hasFault = false
    /// The folder of the tracking plan.
    var plan: String?

    /// Whether the inspector is enabled.
    var isOn: Bool { port != nil }
}
