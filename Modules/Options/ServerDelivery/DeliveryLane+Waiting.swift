public import CoreTracker
public import EventTracking

/// Tracking that waits for capacity, on a server.
extension DeliveryLane {
    /// Tracks an event, and waits for capacity if the engine's buffer is full.
    ///
    /// The calling task is suspended; no thread is blocked. Waiting calls of one priority get returned capacity in their
    /// order. A call never waits behind calls of lower priorities that do not fit. If the buffer stays full, the event is
    /// dropped and counted with the reason `buffer_full` or `buffer_bytes`. The wait ends early if the task is cancelled
    /// or the engine is closed. The event has the time of the call, but the identity and the user's consent after the
    /// wait.
    ///
    /// ```swift
    /// let reason = await lane.track("order_paid", parameters: ["order": 7], waitingUpTo: .seconds(2))
    /// if reason == .bufferFull { return Response(status: 503) }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The event's name.
    ///   - parameters: The event's parameters. They override the default parameters.
    ///   - defaults: The default parameters.
    ///   - options: The durability and the priority.
    ///   - limit: The maximum wait. If it is zero, the call does not wait.
    /// - Returns: The reason if the event is dropped, or `nil` if it is accepted.
    @discardableResult
    public func track(
        _ name: String,
        parameters: EventParameters = [:],
        defaults: EventParameters = [:],
        options: TrackOptions = TrackOptions(),
        waitingUpTo limit: Duration
    ) async -> DropReason? {
        let reserved = await reserve(name, parameters, defaults, options, waitingUpTo: limit)
        return accept(name, parameters, defaults, options, reserved: reserved)
    }

    /// Tracks the event of a service, and waits for capacity if the engine's buffer is full.
    ///
    /// ``track(_:parameters:defaults:options:waitingUpTo:)`` describes the wait.
    ///
    /// - Parameters:
    ///   - event: The event. Its default parameters override `defaults`.
    ///   - defaults: The default parameters of a wider scope.
    ///   - limit: The maximum wait.
    /// - Returns: The reason if the event is dropped, or `nil` if it is accepted.
    @discardableResult
    public func track(
        _ event: some ServiceEvent,
        over defaults: EventParameters = [:],
        waitingUpTo limit: Duration
    ) async -> DropReason? {
        await track(
            event.name,
            parameters: event.parameters,
            defaults: defaults.merging(event.defaults),
            options: event.options,
            waitingUpTo: limit
        )
    }

    /// Tracks an event, waits for capacity if the engine's buffer is full, and then until the event is stored on this
    /// device or dropped.
    ///
    /// `trackUntilStored(_:parameters:defaults:options:)` describes the receipt.
    ///
    /// - Parameters:
    ///   - name: The event's name.
    ///   - parameters: The event's parameters. They override the default parameters.
    ///   - defaults: The default parameters.
    ///   - options: The durability and the priority.
    ///   - limit: The maximum wait for capacity.
    /// - Returns: The event's id and outcome.
    public func trackUntilStored(
        _ name: String,
        parameters: EventParameters = [:],
        defaults: EventParameters = [:],
        options: TrackOptions = TrackOptions(),
        waitingUpTo limit: Duration
    ) async -> Receipt {
        let reserved = await reserve(name, parameters, defaults, options, waitingUpTo: limit)
        return await withCheckedContinuation { continuation in
            accept(name, parameters, defaults, options, reserved: reserved, receipt: PendingReceipt(continuation))
        }
    }

    /// Reserves capacity for an event.
    ///
    /// It does not wait if the event is dropped anyway. Rates are checked only after the wait, because each check of a
    /// rate counts the event. After the wait, the event is accepted or dropped as if the call had not waited.
    private func reserve(
        _ name: String,
        _ parameters: EventParameters,
        _ defaults: EventParameters,
        _ options: TrackOptions,
        waitingUpTo limit: Duration
    ) async -> ReservedCapacity {
        let time = buffer.now
        let scope = TrackingScope.current
        let defaults = scope?.defaults(over: defaults) ?? defaults
        let share = BufferCapacity.Share.of(name, parameters, defaults)
        guard limit > .zero, consent.dropReason == nil, scope?.hasLongID != true,
            share.excess(parameters, defaults) == nil, !isAgainstRule(name, at: time),
            buffer.room.mayTake(share, options.priority),
            await buffer.capacityQueue.reserve(share, options.priority, waitingUpTo: limit)
        else { return ReservedCapacity(time: time, share: nil) }
        return ReservedCapacity(time: time, share: share)
    }

    /// Returns whether a rule other than a rate drops an event.
    private func isAgainstRule(_ name: String, at time: Timestamp) -> Bool {
        guard let rules = buffer.admission.frozen.rules else { return false }
        let identity = buffer.identityOfNextEvent(at: time).identity
        return rules.refusal(of: name, on: id, identity, countedAt: nil) != nil
    }
}

extension LaneService {
    /// Tracks an event, and waits for capacity if the engine's buffer is full.
    ///
    /// `DeliveryLane.track(_:parameters:defaults:options:waitingUpTo:)` describes the wait.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - limit: The maximum wait.
    /// - Returns: The reason if the event is dropped, or `nil` if it is accepted.
    @discardableResult
    public func track(_ event: FirebaseEvent, waitingUpTo limit: Duration) async -> DropReason? {
        await lane(of: event).track(event, waitingUpTo: limit)
    }

    /// Tracks an event, and waits for capacity if the engine's buffer is full.
    ///
    /// `DeliveryLane.track(_:parameters:defaults:options:waitingUpTo:)` describes the wait.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - limit: The maximum wait.
    /// - Returns: The reason if the event is dropped, or `nil` if it is accepted.
    @discardableResult
    public func track(_ event: AwesomeTrackingEvent, waitingUpTo limit: Duration) async -> DropReason? {
        await lane(of: event).track(event, waitingUpTo: limit)
    }

    /// Tracks an event, and waits for capacity if the engine's buffer is full.
    ///
    /// `DeliveryLane.track(_:parameters:defaults:options:waitingUpTo:)` describes the wait.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - limit: The maximum wait.
    /// - Returns: The reason if the event is dropped, or `nil` if it is accepted.
    @discardableResult
    public func track(_ event: VendorEvent, waitingUpTo limit: Duration) async -> DropReason? {
        await lane(of: event).track(event, waitingUpTo: limit)
    }
}

extension DeliveryEngine {
    /// Waits until the engine can accept another event of normal priority.
    ///
    /// A server calls this before it handles a request whose events are tracked by presenters, and responds with
    /// status 503 if the result is `false`. It reserves nothing, so a burst of other calls can still fill the buffer.
    /// To reserve the capacity of one event, use
    /// `DeliveryLane.track(_:parameters:defaults:options:waitingUpTo:)`.
    ///
    /// - Parameter limit: The maximum wait. Cancelling the task ends it.
    /// - Returns: `false` if the buffer was full until the end of the wait, or if the engine is closed.
    public func waitForCapacity(upTo limit: Duration) async -> Bool {
        let share = BufferCapacity.Share(bytes: 0)
        guard await buffer.capacityQueue.reserve(share, .normal, waitingUpTo: limit) else { return false }
        buffer.room.giveBack(share)
        return true
    }
}
