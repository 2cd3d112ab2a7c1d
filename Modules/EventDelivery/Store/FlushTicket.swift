import Locks

/// Someone who waits, until a deadline at the latest: whoever ends the ticket first ends the wait.
final class FlushTicket: Sendable {
    private struct State {
        var isEnded = false
        var waiter: CheckedContinuation<Void, Never>?
        var targets: [Int: Int64]?
    }

    /// When the wait ends at the latest.
    let deadline: MonotonicInstant
    private let state = Mutex(State())

    /// Creates a ticket; the deadline counts from the caller's call.
    init(deadline: MonotonicInstant) {
        self.deadline = deadline
    }

    /// Whether nobody waits any more.
    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// The number of each lane's next event when everything that was tracked before was stored; `nil` until it is.
    var targets: [Int: Int64]? {
        get { state.withLock { $0.targets } }
        set { state.withLock { $0.targets = newValue } }
    }

    /// Ends the wait.
    func end() {
        let waiter = state.withLock { state in
            state.isEnded = true
            let waiter = state.waiter
            state.waiter = nil
            return waiter
        }
        waiter?.resume()
    }

    /// Waits until the ticket is ended, its deadline has passed or the task is cancelled.
    func wait(clock: any DeliveryClock, runtime: EngineRuntime) async {
        guard clock.monotonicTime() < deadline else { return end() }
        let timer = runtime.task {
            if (try? await clock.sleep(until: self.deadline)) != nil { self.end() }
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isEnded = state.withLock { state in
                    if !state.isEnded { state.waiter = continuation }
                    return state.isEnded
                }
                if isEnded { continuation.resume() }
            }
        } onCancel: {
            end()
        }
        timer.cancel()
    }
}

extension LaneStatus {
    /// How a lane stands with regard to a flush that ends at a deadline.
    ///
    /// - Parameters:
    ///   - target: The number up to which events have to be settled; `nil` while they are not even stored.
    ///   - isOpen: Whether the engine is open.
    func outcome(target: Int64?, isOpen: Bool, deadline: MonotonicInstant) -> FlushReport.Outcome {
        if let target, isSettled(target) { return .drained }
        guard isServed, isOpen else { return .unserved }
        guard consent == .granted else { return .withoutConsent }
        if let pause { return .paused(pause) }
        if let notBefore, notBefore > deadline { return .waiting }
        return .deadlinePassed
    }

    private func isSettled(_ target: Int64) -> Bool {
        // While neither disk nor memory has room, events wait in the intake, and have no number yet.
        guard nextNumber >= target, heldEvents == 0 || consent == .denied else { return false }
        return firstUnsettled.map { $0 >= target } ?? true
    }
}
