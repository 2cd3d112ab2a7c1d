import Locks

/// Work that ends by itself or when its time is up, whichever comes first, and whose end is told exactly once.
final class ExpiringWork: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var atEnd: (@Sendable () -> Void)?
        var hasEnded = false
    }

    private let state = Mutex(State())

    /// Starts the work; where its time was up before, it is not started, and the end is told at once.
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

    /// Ends the work because its time is up: cancels its task, and does not wait for it.
    func expire() {
        end()?.cancel()
    }

    /// Tells the end, unless it was told; returns the task that may still be at work.
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
