import Locks

/// Wakes the one task that waits for something to do; a signal that nobody waits for is kept, once.
package final class WakeSignal: Sendable {
    private struct State {
        var isSignalled = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    package init() {}

    /// Wakes the waiting task, or the next one that waits.
    package func signal() {
        let waiter = state.withLock { state in
            let waiter = state.waiter
            state.waiter = nil
            if waiter == nil { state.isSignalled = true }
            return waiter
        }
        waiter?.resume()
    }

    /// Waits for a signal; returns at once when one has been kept.
    ///
    /// One task at a time.
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

    /// Waits for a signal or for an instant of a clock, whichever comes first.
    package func wait(until instant: MonotonicInstant, clock: any DeliveryClock, runtime: EngineRuntime) async {
        let timer = runtime.task {
            // A cancelled sleep means that the signal came first.
            if (try? await clock.sleep(until: instant)) != nil { self.signal() }
        }
        await wait()
        timer.cancel()
    }
}
