import Locks

/// Someone who waits, until a deadline at the latest: whoever ends the ticket first ends the wait.
package final class FlushTicket: Sendable {
    private struct State {
        var isEnded = false
        var waiter: CheckedContinuation<Void, Never>?
        var targets: [Int: Int64]?
    }

    /// When the wait ends at the latest.
    package let deadline: MonotonicInstant
    private let state = Mutex(State())

    /// Creates a ticket; the deadline counts from the caller's call.
    package init(deadline: MonotonicInstant) {
        self.deadline = deadline
    }

    /// Whether nobody waits any more.
    package var isEnded: Bool { state.withLock { $0.isEnded } }

    /// The number of each lane's next event when everything that was tracked before was stored; `nil` until it is.
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
