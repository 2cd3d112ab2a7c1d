public import CoreTracker

/// The entry of one lane: what a service's implementation holds and tracks through.
public struct DeliveryLane: Sendable {
    /// The lane's name.
    public let id: LaneID
    private let index: Int
    private let consent: LaneConsent
    private let intake: Intake

    init(id: LaneID, index: Int, consent: LaneConsent, intake: Intake) {
        self.id = id
        self.index = index
        self.consent = consent
        self.intake = intake
    }

    /// Whether the user has refused the purpose of the lane's destination; costs no lock.
    ///
    /// `false` while nothing is known, and until the engine is open.
    public var isConsentDenied: Bool { consent.isDenied }

    /// Tracks an event, as it is now, with the identity that is current now.
    ///
    /// Synchronous, from any thread: never waits for disk or network, does not throw. What cannot be taken is counted
    /// in the ledger with its reason. Events of one thread keep their order.
    public func track(
        _ name: String,
        parameters: EventParameters,
        defaults: EventParameters = [:],
        options: TrackOptions = TrackOptions()
    ) {
        intake.accept(
            lane: index,
            consent: consent,
            name: name,
            parameters: parameters,
            defaults: defaults,
            options: options
        )
    }

    /// Counts an event as accepted and dropped for a reason, without taking it.
    func drop(_ reason: DropReason) { intake.drop(lane: index, reason) }

    /// Tracks an event and waits until it has come as far as a stage, or is lost.
    ///
    /// With `TrackOptions.Durability.strict` the receipt means that the event survives a power loss. An engine that
    /// is never opened never answers.
    public func track(
        _ name: String,
        parameters: EventParameters,
        defaults: EventParameters = [:],
        options: TrackOptions = TrackOptions(),
        until stage: Receipt.Stage
    ) async -> Receipt {
        await withCheckedContinuation { continuation in
            intake.accept(
                lane: index,
                consent: consent,
                name: name,
                parameters: parameters,
                defaults: defaults,
                options: options,
                receipt: PendingReceipt(continuation)
            )
        }
    }
}
