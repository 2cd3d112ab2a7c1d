import CoreTracker
import Foundation
import Synchronization

/// The bounded buffer between the callers of `track` and the store, with everything that is frozen at that moment.
///
/// One lock guards it all, so that an event's number, identity, consent and place in the buffer belong to the same
/// instant. A call holds it for some tens of nanoseconds; nothing is done under it that could wait.
final class Intake: Sendable {
    let clock: any DeliveryClock
    /// Wakes the writer.
    let wake = WakeSignal()
    let eventTime: (@Sendable () -> Timestamp)?
    private let state: Mutex<IntakeState>
    /// How often a thread tries to get the lock before it waits, and from when on it lets other threads run meanwhile.
    private static let attempts = (all: 256, yielding: 16)

    init(clock: any DeliveryClock, eventTime: (@Sendable () -> Timestamp)?, capacity: Int) {
        self.clock = clock
        self.eventTime = eventTime
        let now = eventTime?() ?? clock.wallTime()
        state = Mutex(IntakeState(capacity: max(1, capacity), now: now, monotonic: clock.monotonicTime()))
    }

    /// Takes an event, or counts why it cannot be taken.
    func accept(
        lane: Int,
        name: String,
        parameters: Parameters,
        defaults: Parameters,
        options: TrackOptions,
        receipt: CheckedContinuation<Receipt, Never>? = nil
    ) {
        // Whatever the clocks cost and the app's closure does, nobody else waits for it.
        let (time, now) = (self.now, clock.monotonicTime())
        let outcome: (id: EventID, lost: DropReason?, wakes: Bool) = withState { state in
            let id = state.generator.next(at: time)
            state.rollSession(now: now, time: time)
            if let reason = state.refusal(lane: lane, name: name, options: options) {
                return (id: id, lost: Optional(state.refuse(lane: lane, reason)), wakes: false)
            }
            let entry = IntakeEntry(
                lane: lane,
                options: options,
                id: id,
                time: time,
                identity: state.identity,
                name: name,
                parameters: parameters,
                defaults: defaults,
                receipt: receipt
            )
            return (id: id, lost: nil, wakes: state.append(entry))
        }
        if outcome.wakes { wake.signal() }
        if let reason = outcome.lost { receipt?.resume(returning: Receipt(id: outcome.id, outcome: .lost(reason))) }
    }

    /// Runs a block on the state, under the lock.
    ///
    /// The lock is mostly free again before a thread could be put to sleep, so a thread tries several times, which
    /// takes some microseconds, before it lines up. Threads that line up hand the lock on from one sleeper to the next:
    /// 64 of them on two cores then wait for milliseconds.
    func withState<Result>(_ body: (inout sending IntakeState) -> sending Result) -> sending Result {
        for attempt in 0..<Intake.attempts.all {
            if let result = state.withLockIfAvailable(body) { return result }
            if attempt >= Intake.attempts.yielding { sched_yield() }
        }
        return state.withLock(body)
    }

    /// The books of a lane as they are now: what is stored, and what has not been yet.
    func ledger(of lane: Int) -> LaneLedger {
        state.withLock { $0.lanes.indices.contains(lane) ? $0.lanes[lane].ledger : LaneLedger() }
    }
}
