public import CoreTracker

/// A lane of the engine, through which a service's implementation tracks its events.
public struct DeliveryLane: Sendable {
    /// The lane's name.
    public let id: LaneID
    let index: Int
    package let consent: LaneConsent
    package let buffer: EventBuffer

    /// Whether the user has denied the purpose of the lane's destination.
    ///
    /// Takes no lock.
    ///
    /// It is `false` until the engine is open, and if there is no decision.
    public var isConsentDenied: Bool { consent.isDenied }

    /// The number of the last denial of the lane's purpose in this process, or 0.
    ///
    /// It differs after each denial, even if the user has agreed again.
    package var denial: UInt64 { consent.denial }

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
        parameters: EventParameters = [:],
        defaults: EventParameters = [:],
        options: TrackOptions = TrackOptions()
    ) {
        accept(name, parameters, defaults, options)
    }

    /// Tracks an event with plain values, such as `lane.track("opened", parameters: ["screen": screen])`.
    ///
    /// - Parameters:
    ///   - name: The event's name.
    ///   - parameters: The event's parameters.
    ///   - options: The durability and the priority.
    @_disfavoredOverload
    public func track(_ name: String, parameters: PlainParameters, options: TrackOptions = TrackOptions()) {
        accept(name, EventParameters(parameters), EventParameters(), options)
    }

    /// Counts an event as accepted and dropped.
    ///
    /// - Parameter reason: The reason.
    package func drop(_ reason: DropReason) { buffer.refuse(lane: index, reason) }

    /// Tracks an event, and waits until it is stored on this device or dropped.
    ///
    /// With `TrackOptions.Durability.strict`, the receipt means that the event survives a power loss. While the event
    /// cannot be stored, for example because another process uses the directory, the call waits until the event is
    /// stored, delivered or dropped. If the engine is neither opened nor closed, the call does not return.
    ///
    /// - Parameters:
    ///   - name: The event's name.
    ///   - parameters: The event's parameters. They override the default parameters.
    ///   - defaults: The default parameters.
    ///   - options: The durability and the priority.
    /// - Returns: The event's id and outcome.
    public func trackUntilStored(
        _ name: String,
        parameters: EventParameters = [:],
        defaults: EventParameters = [:],
        options: TrackOptions = TrackOptions()
    ) async -> Receipt {
        await withCheckedContinuation { continuation in
            accept(name, parameters, defaults, options, receipt: PendingReceipt(continuation))
        }
    }

    /// Buffers an event, or drops and counts it.
    ///
    /// - Parameters:
    ///   - name: The event's name.
    ///   - parameters: The event's parameters.
    ///   - defaults: The default parameters.
    ///   - options: The durability and the priority.
    ///   - reserved: The time of the call and its reserved capacity, if it could wait for capacity.
    ///   - receipt: The continuation of a waiting caller, if any.
    /// - Returns: The reason if the event was dropped, otherwise `nil`.
    @discardableResult
    package func accept(
        _ name: String,
        _ parameters: EventParameters,
        _ defaults: EventParameters,
        _ options: TrackOptions,
        reserved: ReservedCapacity? = nil,
        receipt: PendingReceipt? = nil
    ) -> DropReason? {
        func accept(_ defaults: EventParameters, in scope: TrackingScope?) -> DropReason? {
            buffer.accept(
                lane: index,
                id: id,
                consent: consent,
                name: name,
                parameters: parameters,
                defaults: defaults,
                options: options,
                scope: scope,
                reserved: reserved,
                receipt: receipt
            ).reason
        }
        guard let scope = TrackingScope.current else { return accept(defaults, in: nil) }
        return accept(scope.defaults(over: defaults), in: scope)
    }
}
