import Locks

/// A caller's wait for a flush, which ends at the first call of ``end()`` or at its deadline.
package final class FlushTicket: Sendable {
    private struct State {
        var isEnded = false
        var waiter: CheckedContinuation<Void, Never>?
        var targets: [Int: Int64]?
    }

    /// The latest end of the wait.
    package let deadline: MonotonicInstant
    private let state = Mutex(State())

    /// Creates a ticket.
    ///
    /// - Parameter deadline: The latest end of the wait, counted from the caller's call.
    package init(deadline: MonotonicInstant) {
        self.deadline = deadline
    }

    /// Whether the wait has ended.
    package var isEnded: Bool { state.withLock { $0.isEnded } }

    /// The sequence number below which each lane's events must be settled, by the lane's index.
    ///
    /// It is `nil` until the events tracked before the call are stored.
    package var targets: [Int: Int64]? {
        get { state.withLock { $0.targets } }
        set { state.withLock { $0.targets = newValue } }
    }

    /// Ends the wait.
    package func end() {
        let waiter = state.withLock { state in
            state.isEnded = true
            let waiter = state.waiter
            state.waiter = nil
            return waiter
        }
        waiter?.resume()
    }

    /// Waits until the ticket is ended, its deadline has passed or the task is cancelled.
    ///
    /// - Parameters:
    ///   - clock: The clock of the deadline.
    ///   - runtime: The tasks for the timer.
    package func wait(clock: any DeliveryClock, runtime: EngineRuntime) async {
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
