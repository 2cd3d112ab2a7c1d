import CoreTracker
import Foundation
import Synchronization

/// The bounded buffer between the callers of `track` and the store, with everything that is frozen at that moment.
///
/// Threads are spread over shards, each with a lock of its own, so that a thread which the system interrupts keeps few
/// others waiting. An event's id, identity, consent and place in the buffer belong to the same instant, that at which
/// its shard's lock is held. The ids order the events of all shards: what is tracked after another event, by whatever
/// thread, has the higher id. The writer takes the events up to one id from all shards, and stores them in the ids'
/// order.
final class Intake: Sendable {
    let clock: any DeliveryClock
    /// Wakes the writer.
    let wake = WakeSignal()
    let eventTime: (@Sendable () -> Timestamp)?
    let identity: CurrentIdentity
    let ids: EventIDGenerator
    let shards: [IntakeShard]
    /// Whether the writer has found nothing to do, and has to be woken.
    let isWriterIdle = Atomic(false)
    /// No event is buffered that has a lower priority than this.
    let lowestPriority = Atomic(TrackOptions.Priority.high.rawValue)
    private let lanes = Mutex(IntakeLanes())
    private let capacity: Int
    /// Events that are buffered or on their way into the outbox.
    private let unstored = Atomic(0)
    private let currentPhase = Atomic(Phase.unopened)
    private let limiter = Mutex<TrackLimiter?>(nil)
    private let hasLimits = Atomic(false)
    let runtime: EngineRuntime

    /// So many buffered events wake the writer, relaxed ones too.
    static let groupSize = 64
    /// The logarithm of the number of shards: so many that threads which track at the same time mostly have their own.
    private static let shardBits = 5

    init(
        clock: any DeliveryClock,
        eventTime: (@Sendable () -> Timestamp)?,
        capacity: Int,
        runtime: EngineRuntime = .system
    ) {
        self.clock = clock
        self.runtime = runtime
        self.eventTime = eventTime
        self.capacity = max(1, capacity)
        var random = runtime.generator
        ids = EventIDGenerator(seed: &random)
        let now = eventTime?() ?? clock.wallTime()
        // The empty device id stands for this installation's own, which is known once the engine is open.
        let first = Identity(deviceID: "", sessionID: ids.next(at: now).description, sessionStart: now)
        let identity = CurrentIdentity(first, now: clock.monotonicTime())
        self.identity = identity
        shards = (0..<1 << Intake.shardBits).map { _ in IntakeShard(identity) }
    }

    /// The time that an event of now would get.
    var now: Timestamp { eventTime?() ?? clock.wallTime() }

    /// Events that are buffered or on their way into the outbox.
    var unstoredCount: Int { unstored.load(ordering: .relaxed) }

    /// Whether no more events are taken.
    var isClosed: Bool { phase == .closed }

    private var phase: Phase { currentPhase.load(ordering: .acquiring) }

    /// Runs a block on the lanes, under their lock; it may take a shard's lock, which in turn takes no other.
    func withLanes<Result>(_ body: (inout sending IntakeLanes) -> sending Result) -> sending Result {
        lanes.withLock(body)
    }

    /// Takes an event, or counts why it cannot be taken.
    func accept(
        lane: Int,
        consent: LaneConsent,
        name: String,
        parameters: EventParameters,
        defaults: EventParameters,
        options: TrackOptions,
        receipt: CheckedContinuation<Receipt, Never>? = nil
    ) {
        // Whatever the clocks cost and the app's closure does, nobody else waits for it.
        let (time, now) = (self.now, clock.monotonicTime())
        identity.noteTrack(at: now, time: time, ids: ids)
        let shard = shards[runtime.shard?() ?? Intake.shardOfThread]

        func offer(hasPlace: Bool) -> (id: EventID, lost: DropReason?, wakes: Bool) {
            shard.withState { state in
                let id = ids.next(at: time)
                let identity = state.identity(self.identity)
                if let reason = refusal(consent, name: name, identity, isCounted: hasPlace, now: now) {
                    if hasPlace { giveBackPlaces(1) }
                    return (id: id, lost: reason, wakes: false)
                }
                guard hasPlace || takePlace() else { return (id: id, lost: .bufferFull, wakes: false) }
                let entry = IntakeEntry(
                    lane: lane,
                    options: options,
                    id: id,
                    time: time,
                    identity: identity,
                    name: name,
                    parameters: parameters,
                    defaults: defaults,
                    receipt: receipt
                )
                let isFirstRelaxed = state.append(entry, now: now)
                noteBuffered(options.priority)
                let wakes = wakesWriter(options.durability, isFirstRelaxed: isFirstRelaxed, count: state.count)
                return (id: id, lost: nil, wakes: wakes)
            }
        }

        var outcome = offer(hasPlace: false)
        if outcome.lost == .bufferFull, evict(below: options.priority) { outcome = offer(hasPlace: true) }
        if outcome.wakes { wake.signal() }
        guard let reason = outcome.lost else { return }
        shard.withState { $0.refuse(lane: lane, reason) }
        receipt?.resume(returning: Receipt(id: outcome.id, outcome: .lost(reason)))
    }

    /// Wakes the writer from now on, and applies an installation that is known and what the app has configured.
    func open(limits: TrackLimits, sessionTimeout: Duration?, deviceID: String) {
        limiter.withLock { $0 = limits == .none ? nil : TrackLimiter(limits) }
        hasLimits.store(limits != .none, ordering: .releasing)
        identity.setSessionTimeout(sessionTimeout)
        identity.change { if $0.deviceID.isEmpty { $0.deviceID = deviceID } }
        _ = currentPhase.compareExchange(expected: .unopened, desired: .open, ordering: .acquiringAndReleasing)
    }

    /// Takes no more events.
    func close() {
        currentPhase.store(.closed, ordering: .releasing)
    }

    /// Gives back the places that events have had in the buffer or on their way.
    func giveBackPlaces(_ count: Int) {
        unstored.wrappingSubtract(count, ordering: .relaxed)
    }

    private func takePlace() -> Bool {
        var count = unstored.load(ordering: .relaxed)
        while count < capacity {
            let (isTaken, found) = unstored.weakCompareExchange(
                expected: count,
                desired: count + 1,
                ordering: .relaxed
            )
            if isTaken { return true }
            count = found
        }
        return false
    }

    /// Notes that an event of a priority has been buffered, under its shard's lock.
    private func noteBuffered(_ priority: TrackOptions.Priority) {
        guard priority.rawValue < lowestPriority.load(ordering: .relaxed) else { return }
        lowestPriority.min(priority.rawValue, ordering: .relaxed)
    }

    /// Says why an event cannot be taken, whatever room there is; `nil` when it can.
    private func refusal(
        _ consent: LaneConsent,
        name: String,
        _ identity: FrozenIdentity,
        isCounted: Bool,
        now: MonotonicInstant
    ) -> DropReason? {
        guard phase != .closed else { return .closed }
        guard !consent.isDenied else { return .consentDenied }
        guard hasLimits.load(ordering: .acquiring), !isCounted else { return nil }
        return limiter.withLock { $0?.refusal(of: name, session: identity.identity.sessionID, now: now) }
    }

    /// Whether the writer has to be woken for an event that has just been buffered.
    private func wakesWriter(_ durability: TrackOptions.Durability, isFirstRelaxed: Bool, count: Int) -> Bool {
        guard phase == .open else { return false }
        let isUrgent = durability == .strict || count >= Intake.groupSize
        if isUrgent, count <= Intake.groupSize {
            isWriterIdle.store(false, ordering: .relaxed)
            return true
        }
        guard isWriterIdle.load(ordering: .relaxed) else { return false }
        // A relaxed event wakes the writer only to have it set its alarm.
        if durability == .relaxed { return isFirstRelaxed }
        return isWriterIdle.exchange(false, ordering: .relaxed)
    }
}

extension Intake {
    /// Whether events are taken.
    enum Phase: UInt8, AtomicRepresentable, Sendable {
        case unopened, open, closed
    }

    /// The shard of the thread that asks.
    ///
    /// The addresses of threads differ in their middle bits; the product spreads them over its highest.
    static var shardOfThread: Int {
        #if canImport(Darwin)
        let thread = UInt(bitPattern: pthread_self())
        #else
        let thread = UInt(pthread_self())
        #endif
        return Int((UInt64(thread) &* 0x9E37_79B9_7F4A_7C15) >> (64 - UInt64(shardBits)))
    }
}
