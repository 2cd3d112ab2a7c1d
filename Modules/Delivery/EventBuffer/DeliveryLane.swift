public import CoreTracker

/// A lane of the engine, through which a service's implementation tracks its events.
public struct DeliveryLane: Sendable {
    /// The lane's name.
    public let id: LaneID
    private let index: Int
    private let consent: LaneConsent
    private let buffer: EventBuffer

    init(id: LaneID, index: Int, consent: LaneConsent, buffer: EventBuffer) {
        self.id = id
        self.index = index
        self.consent = consent
        self.buffer = buffer
    }

    /// Whether the user has denied the purpose of the lane's destination.
    ///
    /// Takes no lock.
    ///
    /// It is `false` until the engine is open, and if there is no decision.
    public var isConsentDenied: Bool { consent.isDenied }

    /// Tracks an event with the current identity and time.
    ///
    /// The call is synchronous and can be made from any thread. It never waits for disk or network. If the event cannot
    /// be accepted, it is counted in the ledger with a reason. Events of one thread keep their order.
    ///
    /// - Parameters:
    ///   - name: The event's name.
    ///   - parameters: The event's parameters. They override the default parameters.
    ///   - defaults: The default parameters.
    ///   - options: The durability and the priority.
    public func track(
        _ name: String,
        parameters: EventParameters,
        defaults: EventParameters = [:],
        options: TrackOptions = TrackOptions()
    ) {
        buffer.accept(
            lane: index,
            id: id,
            consent: consent,
            name: name,
            parameters: parameters,
            defaults: defaults,
            options: options
        )
    }

    /// Counts an event as accepted and dropped.
    ///
    /// - Parameter reason: The reason.
    func drop(_ reason: DropReason) { buffer.drop(lane: index, reason) }

    /// Tracks an event, and waits until it reaches a stage or is lost.
    ///
    /// With `TrackOptions.Durability.strict`, the receipt means that the event survives a power loss. While the event
    /// cannot be stored, for example because another process uses the directory, the call waits until the event is
    /// stored, delivered or lost. If the engine is neither opened nor closed, the call does not return.
    ///
    /// - Parameters:
    ///   - name: The event's name.
    ///   - parameters: The event's parameters. They override the default parameters.
    ///   - defaults: The default parameters.
    ///   - options: The durability and the priority.
    ///   - stage: The stage to wait for.
    /// - Returns: The event's id and outcome.
    public func track(
        _ name: String,
        parameters: EventParameters,
        defaults: EventParameters = [:],
        options: TrackOptions = TrackOptions(),
        until stage: Receipt.Stage
    ) async -> Receipt {
        await withCheckedContinuation { continuation in
            buffer.accept(
                lane: index,
                id: id,
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
