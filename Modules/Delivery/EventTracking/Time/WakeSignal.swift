import Locks

/// A signal that wakes one waiting task.
///
/// A signal without a waiting task is kept once.
package final class WakeSignal: Sendable {
    private struct State {
        var isSignalled = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    package init() {}

    /// Wakes the waiting task, or the next task to wait.
    package func signal() {
        let waiter = state.withLock { state in
            let waiter = state.waiter
            state.waiter = nil
            if waiter == nil { state.isSignalled = true }
            return waiter
        }
        waiter?.resume()
    }

    /// Waits for a signal.
    ///
    /// Returns at once if one was kept.
    ///
    /// Only one task may wait at a time.
    package func wait() async {
        await withCheckedContinuation { continuation in
            let isSignalled = state.withLock { state in
                guard !state.isSignalled else {
                    state.isSignalled = false
                    return true
                }
                state.waiter = continuation
                return false
            }
            if isSignalled { continuation.resume() }
        }
    }

    /// Waits for a signal or for an instant, whichever comes first.
    ///
    /// - Parameters:
    ///   - instant: The end of the wait.
    ///   - clock: The clock of the instant.
    ///   - runtime: The tasks for the timer.
    package func wait(until instant: MonotonicInstant, clock: any DeliveryClock, runtime: EngineRuntime) async {
        let timer = runtime.task {
            // A cancelled sleep means that the signal came first.
            if (try? await clock.sleep(until: instant)) != nil { self.signal() }
        }
        await wait()
        timer.cancel()
    }
}

/// A caller's wait, which ends at the first call of ``end()`` or at an instant.
package final class Deadline: Sendable {
    private struct State {
        var isEnded = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    /// The latest end of the wait.
    package let instant: MonotonicInstant
    private let state = Mutex(State())

    /// - Parameter instant: The latest end of the wait, counted from the caller's call.
    package init(_ instant: MonotonicInstant) {
        self.instant = instant
    }

    /// Whether the wait has ended.
    package var isEnded: Bool { state.withLock { $0.isEnded } }

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

    /// Waits until the wait is ended, its instant has passed or the task is cancelled.
    ///
    /// - Parameters:
    ///   - clock: The clock of the instant.
    ///   - runtime: The tasks for the timer.
    package func wait(clock: any DeliveryClock, runtime: EngineRuntime) async {
        guard clock.monotonicTime() < instant else { return end() }
        let timer = runtime.task {
            if (try? await clock.sleep(until: self.instant)) != nil { self.end() }
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
