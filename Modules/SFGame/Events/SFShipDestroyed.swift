public import CoreTracker

/// A ship lost its last life.
public struct SFShipDestroyed: CoreTrackable {
    /// Whose ship it was.
    public let side: SFSide

    /// Creates the event.
    public init(side: SFSide) {
        self.side = side
    }

    public var services: [EventService] {
        [
            .firebase(FirebaseEvent(name: "ship_destroyed", parameters: [.side: .string(side.rawValue)])),
            .awesomeTracking(AwesomeTrackingEvent(name: "ship_destroyed", parameters: [.side: .string(side.rawValue)])),
        ]
    }
}

extension SFShipDestroyed: PlannedEvent {
    public static var plan: EventPlan<SFShipDestroyed> {
        EventPlan(
            "Ship destroyed",
            owner: .sfGame,
            purpose: "How many ships each side loses.",
            examples: SFSide.allCases.map { SFShipDestroyed(side: $0) }
        )
    }
}
