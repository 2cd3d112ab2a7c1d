import CoreTracker

/// The time of a call that could wait for capacity, and its reserved capacity, if any.
package struct ReservedCapacity: Sendable {
    let time: Timestamp
    let share: BufferCapacity.Share?
}

/// Calls that wait for capacity, instead of dropping their event.
extension EventBuffer {
    /// Reserves capacity for an event, and waits for it until a deadline.
    ///
    /// It does not wait if the event is lost anyway. After the deadline, the event is accepted or dropped as if the
    /// call had not waited.
    ///
    /// - Parameters:
    ///   - name: The event's name.
    ///   - parameters: The event's parameters.
    ///   - defaults: The default parameters.
    ///   - consent: The lane's decision in effect.
    ///   - priority: The event's priority.
    ///   - limit: The maximum wait.
    /// - Returns: The time of the call, and the capacity if it was reserved.
    func reserve(
        _ name: String,
        _ parameters: EventParameters,
        _ defaults: EventParameters,
        consent: LaneConsent,
        priority: TrackOptions.Priority,
        waitingUpTo limit: Duration
    ) async -> ReservedCapacity {
        let time = now
        guard limit > .zero else { return ReservedCapacity(time: time, share: nil) }
        let defaults = TrackingScope.current.map { defaults.merging($0.parameters) } ?? defaults
        let share = BufferCapacity.Share(bytes: EventBuffer.bytes(name, parameters, defaults))
        guard !consent.isDenied, EventBuffer.excess(parameters, defaults, share) == nil, room.mayTake(share, priority)
        else {
            return ReservedCapacity(time: time, share: nil)
        }
        return ReservedCapacity(time: time, share: await reserve(share, priority, waitingUpTo: limit) ? share : nil)
    }

    /// Waits until there is capacity for an event of normal priority.
    ///
    /// - Parameter limit: The maximum wait.
    /// - Returns: Whether there was capacity.
    func waitForCapacity(upTo limit: Duration) async -> Bool {
        let share = BufferCapacity.Share(bytes: 0)
        guard await reserve(share, .normal, waitingUpTo: limit) else { return false }
        room.giveBack(share)
        return true
    }

    private func reserve(
        _ share: BufferCapacity.Share,
        _ priority: TrackOptions.Priority,
        waitingUpTo limit: Duration
    ) async -> Bool {
        let deadline = clock.monotonicTime().advanced(by: limit)
        return await room.reserve(share, priority, until: deadline, clock: clock, runtime: runtime)
    }
}

extension DeliveryEngine {
    /// Waits until the engine can accept another event of normal priority.
    ///
    /// A server calls this before it handles a request whose events are tracked by presenters, and responds with
    /// status 503 if the result is `false`. It reserves nothing, so a burst of other calls can still fill the buffer.
    /// To reserve the capacity of one event, use
    /// ``DeliveryLane/track(_:parameters:defaults:options:waitingUpTo:)``.
    ///
    /// - Parameter limit: The maximum wait. Cancelling the task ends it.
    /// - Returns: `false` if the buffer was full until the end of the wait, or if the engine is closed.
    public func waitForCapacity(upTo limit: Duration) async -> Bool {
        await buffer.waitForCapacity(upTo: limit)
    }
}
