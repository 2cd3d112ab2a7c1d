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
