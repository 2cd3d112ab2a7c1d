public import EventDelivery
import Locks

/// A clock that only moves if a test advances it.
///
/// ```swift
/// let engine = DeliveryEngine(clock: TestClock())
/// ```
///
/// ``advance(by:)`` moves wall time and monotonic time together. ``jumpWall(bySeconds:)`` moves only wall time, as a
/// user does by setting the device's clock.
public final class TestClock: DeliveryClock {
    private struct Sleeper {
        let number: Int
        let until: MonotonicInstant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watcher {
        let isMet: @Sendable (Duration) -> Bool
        let continuation: CheckedContinuation<Duration, Never>
    }

    private struct State {
        var wall: Timestamp
        var monotonic = MonotonicInstant(nanoseconds: 1_000_000_000)
        var sleepers: [Sleeper] = []
        var watchers: [Watcher] = []
        var cancelled: Set<Int> = []
        var nextNumber = 0
    }

    public let bootID: String
    private let state: Mutex<State>

    /// Creates a clock.
    ///
    /// - Parameters:
    ///   - wall: The wall time. The default is 1 March 2026, 10:00 UTC.
    ///   - bootID: The identifier of the system's start.
    public init(wall: Timestamp = Timestamp(microseconds: 1_772_359_200_000_000), bootID: String = "boot-1") {
        self.bootID = bootID
        state = Mutex(State(wall: wall))
    }

    public func wallTime() -> Timestamp { state.withLock { $0.wall } }

    public func monotonicTime() -> MonotonicInstant { state.withLock { $0.monotonic } }

    public func sleep(until instant: MonotonicInstant) async throws {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                start(Sleeper(number: number, until: instant, continuation: continuation))
            }
        } onCancel: {
            cancel(number)
        }
    }

    /// Advances both clocks, and resumes the tasks whose sleep ends by the new time.
    ///
    /// - Parameter duration: The time to advance.
    public func advance(by duration: Duration) {
        let awake = state.withLock { state in
            state.monotonic = state.monotonic.advanced(by: duration)
            state.wall = Timestamp(microseconds: state.wall.microseconds + duration.nanoseconds / 1000)
            let now = state.monotonic
            let awake = state.sleepers.filter { $0.until <= now }
            state.sleepers.removeAll { $0.until <= now }
            return awake
        }
        for sleeper in awake { sleeper.continuation.resume() }
    }

    /// Moves the wall clock forward or back, without changing the monotonic clock.
    ///
    /// - Parameter seconds: The number of seconds, which may be negative.
    public func jumpWall(bySeconds seconds: Int64) {
        state.withLock { $0.wall = $0.wall.advanced(bySeconds: seconds) }
    }

    /// The remaining time until the next sleep ends, or `nil` if no task sleeps.
    package var timeUntilNextWakeUp: Duration? {
        state.withLock { state in state.sleepers.map { state.monotonic.duration(to: $0.until) }.min() }
    }

    /// Waits until a task sleeps for a remaining time that satisfies a condition.
    ///
    /// - Parameter isMet: The condition.
    /// - Returns: The remaining time of that task.
    public func nextSleep(where isMet: @escaping @Sendable (Duration) -> Bool) async -> Duration {
        await withCheckedContinuation { continuation in
            let found: Duration? = state.withLock { state in
                let remaining = state.sleepers.map { state.monotonic.duration(to: $0.until) }
                if let first = remaining.first(where: isMet) { return first }
                state.watchers.append(Watcher(isMet: isMet, continuation: continuation))
                return nil
            }
            if let found { continuation.resume(returning: found) }
        }
    }

    private func start(_ sleeper: Sleeper) {
        var met: [CheckedContinuation<Duration, Never>] = []
        var remaining = Duration.zero
        let result: Result<Void, any Error>? = state.withLock { state in
            if state.cancelled.remove(sleeper.number) != nil { return .failure(CancellationError()) }
            remaining = state.monotonic.duration(to: sleeper.until)
            if remaining <= .zero { return .success(()) }
            state.sleepers.append(sleeper)
            met = state.watchers.filter { $0.isMet(remaining) }.map(\.continuation)
            state.watchers.removeAll { $0.isMet(remaining) }
            return nil
        }
        if let result { sleeper.continuation.resume(with: result) }
        for continuation in met { continuation.resume(returning: remaining) }
    }

    private func cancel(_ number: Int) {
        let sleeper: Sleeper? = state.withLock { state in
            guard let index = state.sleepers.firstIndex(where: { $0.number == number }) else {
                state.cancelled.insert(number)
                return nil
            }
            return state.sleepers.remove(at: index)
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
