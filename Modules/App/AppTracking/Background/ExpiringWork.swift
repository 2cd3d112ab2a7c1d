import Locks

/// Work that ends when it is complete or when its time expires, and reports its end exactly once.
final class ExpiringWork: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var atEnd: (@Sendable () -> Void)?
        var hasEnded = false
    }

    private let state = Mutex(State())

    /// Starts the work.
    ///
    /// If its time has already expired, the work is not started, and `atEnd` is called at once.
    func start(_ work: @escaping @Sendable () async -> Void, atEnd: @escaping @Sendable () -> Void) {
        let isTooLate = state.withLock { state in
            guard !state.hasEnded else { return true }
            state.atEnd = atEnd
            state.task = Task {
                await work()
                self.end()
            }
            return false
        }
        if isTooLate { atEnd() }
    }

    /// Cancels the work's task because its time has expired, without waiting for it.
    func expire() {
        end()?.cancel()
    }

    /// Reports the end if it was not reported.
    ///
    /// Returns the task, which may still run.
    @discardableResult
    private func end() -> Task<Void, Never>? {
        let (task, atEnd) = state.withLock { state in
            defer {
                state.hasEnded = true
                (state.task, state.atEnd) = (nil, nil)
            }
            return (state.task, state.atEnd)
        }
        atEnd?()
        return task
    }
}
