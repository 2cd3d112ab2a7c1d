package import CoreTracker
import Locks

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The bounded buffer between the callers of `track` and the store, with everything that is frozen at that moment.
///
/// Threads are spread over shards, each with a lock of its own, so that a thread which the system interrupts keeps few
/// others waiting. An event's id, identity, consent and place in the buffer belong to the same instant, that at which
/// its shard's lock is held. The ids order the events of all shards: what is tracked after another event, by whatever
/// thread, has the higher id. The writer takes the events up to one id from all shards, and stores them in the ids'
/// order.
package final class Intake: Sendable {
    package let clock: any DeliveryClock
    /// Wakes the writer.
    package let wake = WakeSignal()
    let eventTime: (@Sendable () -> Timestamp)?
    package let identity: CurrentIdentity
    package let ids: EventIDGenerator
    let shards: [IntakeShard]
    /// Whether the writer has found nothing to do, and has to be woken.
    let isWriterIdle = Atomic(false)
    /// No event is buffered that has a lower priority than this.
    let lowestPriority = Atomic(TrackOptions.Priority.high.rawValue)
    private let lanes = Mutex(IntakeLanes())
    /// The room of events that are buffered or on their way into the outbox.
    let room: IntakeRoom
    private let currentPhase = Atomic(Phase.unopened.rawValue)
    private let limiter = Mutex<TrackLimiter?>(nil)
    private let hasLimits = Atomic(false)
    package let runtime: EngineRuntime

    /// The most bytes of one event in memory: several times what any destination takes of one.
    private static let mostEventBytes: UInt64 = 1 << 20
    /// The most events that give way for one.
    private static let mostEvictions = 64
    /// So many buffered events wake the writer, relaxed ones too.
    package static let groupSize = 64
    /// The logarithm of the number of shards: so many that threads which track at the same time mostly have their own.
    private static let shardBits = 5

    package init(
        clock: any DeliveryClock,
        eventTime: (@Sendable () -> Timestamp)?,
        capacity: Int,
        byteCapacity: Int? = nil,
        runtime: EngineRuntime = .system
    ) {
        self.clock = clock
        self.runtime = runtime
        self.eventTime = eventTime
        room = IntakeRoom(events: capacity, bytes: byteCapacity)
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
    package var unstoredCount: Int { room.events }

    /// Whether no more events are taken.
    package var isClosed: Bool { phase == .closed }

    private var phase: Phase { Phase(rawValue: currentPhase.load(ordering: .acquiring)) ?? .closed }

    /// Runs a block on the lanes, under their lock; it may take a shard's lock, which in turn takes no other.
    package func withLanes<Result>(_ body: (inout sending IntakeLanes) -> sending Result) -> sending Result {
        lanes.withLock(body)
    }

    /// Takes an event, or counts why it cannot be taken.
    package func accept(
        lane: Int,
        consent: LaneConsent,
        name: String,
        parameters: EventParameters,
        defaults: EventParameters,
        options: TrackOptions,
        receipt: PendingReceipt? = nil
    ) {
        // Whatever the clocks cost and the app's closure does, nobody else waits for it.
        let (time, now) = (self.now, clock.monotonicTime())
        identity.noteTrack(at: now, time: time, ids: ids)
        let shard = shards[runtime.shard?() ?? Intake.shardOfThread]
        let share = IntakeRoom.Share(bytes: Intake.bytes(name, parameters, defaults))
        let excess = Intake.excess(parameters, defaults, share)

        func offer(holding held: IntakeRoom.Share?) -> (id: EventID, lost: DropReason?, wakes: Bool) {
            shard.withState { state in
                let id = ids.next(at: time)
                let identity = state.identity(self.identity)
                let refusal = refusal(consent, excess, name: name, identity, isCounted: held != nil, now: now)
                if let reason = refusal ?? room.take(share, insteadOf: held ?? IntakeRoom.Share()) {
                    return (id: id, lost: reason, wakes: false)
                }
                let entry = IntakeEntry(
                    lane: lane,
                    options: options,
                    id: id,
                    time: time,
                    identity: identity,
                    name: name,
                    parameters: parameters,
                    defaults: defaults,
                    receipt: receipt,
                    share: share
                )
                let isFirstRelaxed = state.append(entry, now: now)
                noteBuffered(options.priority)
                let wakes = wakesWriter(options.durability, isFirstRelaxed: isFirstRelaxed, count: state.count)
                return (id: id, lost: nil, wakes: wakes)
            }
        }

        var outcome = offer(holding: nil)
        if let reason = outcome.lost, reason == .bufferFull || reason == .bufferBytes, room.mayTake(share) {
            outcome = offerAnew(outcome, below: options.priority, offer)
        }
        if outcome.wakes { wake.signal() }
        guard let reason = outcome.lost else { return }
        drop(lane: lane, reason, on: shard, now: now)
        receipt?.resume(returning: Receipt(id: outcome.id, outcome: .lost(reason)))
    }

    /// Counts an event that cannot be taken; it is accepted and dropped.
    package func drop(lane: Int, _ reason: DropReason) {
        drop(lane: lane, reason, on: shards[runtime.shard?() ?? Intake.shardOfThread], now: clock.monotonicTime())
    }

    private func drop(lane: Int, _ reason: DropReason, on shard: IntakeShard, now: MonotonicInstant) {
        let isFirst = shard.withState { $0.refuse(lane: lane, reason, now: now) }
        if wakesWriter(.relaxed, isFirstRelaxed: isFirst, count: 0) { wake.signal() }
    }

    /// Offers an event again and again, each time with the room of one more event of a lower priority.
    private func offerAnew(
        _ refused: (id: EventID, lost: DropReason?, wakes: Bool),
        below priority: TrackOptions.Priority,
        _ offer: (IntakeRoom.Share?) -> (id: EventID, lost: DropReason?, wakes: Bool)
    ) -> (id: EventID, lost: DropReason?, wakes: Bool) {
        var (outcome, held) = (refused, IntakeRoom.Share())
        for _ in 0..<Intake.mostEvictions {
            guard let reason = outcome.lost, reason == .bufferFull || reason == .bufferBytes,
                let freed = evict(below: priority, reason)
            else { break }
            held += freed
            outcome = offer(held)
        }
        if outcome.lost != nil { room.giveBack(held) }
        return outcome
    }

    /// About what an event takes in memory.
    static func bytes(_ name: String, _ parameters: EventParameters, _ defaults: EventParameters) -> Int {
        // Each is cut to a number whose sums fit.
        name.utf8.count &+ min(parameters.byteCount, .max >> 2) &+ min(defaults.byteCount, .max >> 2)
    }

    /// Why nobody could store or send an event, whatever room there is; `nil` for most.
    private static func excess(
        _ parameters: EventParameters,
        _ defaults: EventParameters,
        _ share: IntakeRoom.Share
    ) -> DropReason? {
        if let excess = parameters.excess ?? defaults.excess {
            return excess == .tooDeep ? .tooDeep : .tooManyParameters
        }
        return share.bytes > mostEventBytes ? .tooLarge : nil
    }

    /// Wakes the writer from now on, and applies an installation that is known and what the app has configured.
    package func open(limits: TrackLimits, sessionTimeout: Duration?, deviceID: String) {
        limiter.withLock { $0 = limits == .none ? nil : TrackLimiter(limits) }
        hasLimits.store(limits != .none, ordering: .releasing)
        identity.setSessionTimeout(sessionTimeout)
        identity.change { if $0.deviceID.isEmpty { $0.deviceID = deviceID } }
        _ = currentPhase.compareExchange(
            expected: Phase.unopened.rawValue,
            desired: Phase.open.rawValue,
            ordering: .acquiringAndReleasing
        )
    }

    /// Takes no more events.
    package func close() {
        currentPhase.store(Phase.closed.rawValue, ordering: .releasing)
    }

    /// Notes that an event of a priority has been buffered, under its shard's lock.
    private func noteBuffered(_ priority: TrackOptions.Priority) {
        guard priority.rawValue < lowestPriority.load(ordering: .relaxed) else { return }
        lowestPriority.min(priority.rawValue, ordering: .relaxed)
    }

    /// Says why an event cannot be taken, whatever room there is; `nil` when it can.
    private func refusal(
        _ consent: LaneConsent,
        _ excess: DropReason?,
        name: String,
        _ identity: FrozenIdentity,
        isCounted: Bool,
        now: MonotonicInstant
    ) -> DropReason? {
        guard phase != .closed else { return .closed }
        guard !consent.isDenied else { return .consentDenied }
        if let excess { return excess }
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
    enum Phase: UInt8 {
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

/// The writer's side of the intake.
extension Intake {
    /// About how many events a group has at most: while one is stored and the next one encoded, most of the buffer is
    /// free for what comes.
    private static let mostEvents = 3_072

    /// Takes out what was tracked first; an empty group leaves the intake ready to wake the writer.
    ///
    /// A few relaxed events alone stay until they are due, unless all are asked for.
    package func takeGroup(all: Bool, now: MonotonicInstant) -> IntakeGroup {
        withLanes { lanes in
            var group = collect(all: all, now: now)
            if group.isEmpty {
                // Who tracks from here on sees that the writer sleeps, and wakes it; who came before is found now.
                // It stays so even then: not the writer alone takes groups, and it may be asleep.
                isWriterIdle.store(true, ordering: .relaxed)
                group = collect(all: all, now: now)
            }
            lanes.noteTaken(group)
            group.words = lanes.lastWords
            return group
        }
    }

    private func collect(all: Bool, now: MonotonicInstant) -> IntakeGroup {
        var group = IntakeGroup()
        guard all || isGroupDue(now: now) else { return group }
        // Without a last id an event could be taken from one shard and left in another that it was tracked after.
        let last = lastOfGroup
        for shard in shards { shard.withState { $0.move(upTo: last, into: &group) } }
        return group
    }

    private var lastOfGroup: EventID {
        let latest = ids.latest
        let counts = shards.map { shard in shard.withState { $0.count } }
        let count = counts.reduce(0, +)
        guard count > Intake.mostEvents, let largest = counts.indices.max(by: { counts[$0] < counts[$1] }) else {
            return latest
        }
        // The events of other threads lie between those of one thread.
        let share = counts[largest] * Intake.mostEvents / count
        return shards[largest].withState { $0.entries.dropFirst(share).first?.id } ?? latest
    }

    /// Whether anything is buffered that is not above an id.
    package func hasBuffered(upTo last: EventID) -> Bool {
        shards.contains { shard in shard.withState { $0.entries.first.map { $0.id <= last } ?? false } }
    }

    private func isGroupDue(now: MonotonicInstant) -> Bool {
        var (count, hasRelaxed) = (0, false)
        for shard in shards {
            let (urgent, size, due) = shard.withState { ($0.urgent, $0.count, $0.relaxedDue) }
            count += size
            if urgent > 0 || due.map({ now >= $0 }) == true || count >= Intake.groupSize { return true }
            hasRelaxed = hasRelaxed || due != nil
        }
        // What the user has refused alone is not waited for.
        return !hasRelaxed
    }

    /// When relaxed events and losses have to be stored at the latest; `nil` when there are none.
    package var relaxedDue: MonotonicInstant? {
        shards.compactMap { shard in shard.withState { $0.relaxedDue } }.min()
    }

    /// Notes that a group is in the outbox, with the ledgers that now hold it.
    package func recordStored(
        _ group: IntakeGroup,
        published lanes: [(lane: Int, ledger: LaneLedger, status: LaneStatus)]
    ) {
        withLanes { known in
            known.noteStored(group)
            for (lane, ledger, status) in lanes { known.publish(lane, ledger, status) }
        }
        room.giveBack(group.share)
    }
}
