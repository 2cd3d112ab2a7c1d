import Locks

/// A timer for the duration of what a user does, from one event to another.
///
/// ```swift
/// let timer = EventTimer()
/// // The user fills in the form.
/// tracker.track(FormSent(duration: timer.elapsed))
/// ```
///
/// It may be used from any thread. It measures in memory: after the process has ended, the duration is unknown. If the
/// device sleeps, the time counts, as it does for the user. ``pause()`` leaves a time out, such as the time of the app
/// in the background.
public final class EventTimer: Sendable {
    private struct State {
        /// The duration before the last pause.
        var counted = Duration.zero
        /// The reading of the clock from which the present part counts, or `nil` during a pause.
        var start: Duration?

        func elapsed(at now: Duration) -> Duration { counted + (start.map { max(.zero, now - $0) } ?? .zero) }
    }

    private let state: Mutex<State>
    private let reading: @Sendable () -> Duration

    /// Starts a timer.
    ///
    /// - Parameter clock: The clock. Pass a `SuspendingClock` to leave out the sleep of the device.
    public init<C: Clock<Duration>>(clock: C = ContinuousClock()) {
        let first = clock.now
        reading = { first.duration(to: clock.now) }
        state = Mutex(State(start: .zero))
    }

    /// The duration since the start, without pauses.
    ///
    /// It is never negative, and a parameter has it in whole milliseconds.
    public var elapsed: Duration {
        state.withLock { $0.elapsed(at: reading()) }
    }

    /// Whether the timer is paused.
    public var isPaused: Bool { state.withLock { $0.start == nil } }

    /// Pauses the timer.
    ///
    /// A paused timer stays paused.
    public func pause() {
        state.withLock { $0 = State(counted: $0.elapsed(at: reading())) }
    }

    /// Continues a paused timer.
    ///
    /// A running timer continues unchanged.
    public func resume() {
        state.withLock { $0.start = $0.start ?? reading() }
    }

    /// Starts again from zero, also if the timer is paused.
    public func restart() {
        state.withLock { $0 = State(start: reading()) }
    }
}
