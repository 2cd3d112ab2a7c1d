import CLibrary
package import CoreTracker
import Locks

/// The bounded buffer between the callers of `track` and the store.
///
/// Threads are distributed over shards, each with a separate lock. An interrupted thread therefore delays few others.
/// An event's id, identity, consent and position in the buffer are determined together, under its shard's lock. The ids
/// order the events of all shards: if one event is tracked after another one, on any thread, it has the higher id. The
/// writer takes the events up to an id from all shards, and stores them in the order of their ids.
package final class EventBuffer: Sendable {
    package let clock: any DeliveryClock
    /// The signal that wakes the writer.
    package let wake = WakeSignal()
    let eventTime: (@Sendable () -> Timestamp)?
    package let identity: CurrentIdentity
    package let ids: EventIDGenerator
    let shards: [BufferShard]
    /// Whether the writer is waiting and must be woken.
    let isWriterIdle = Atomic(false)
    private let lanes = Mutex(BufferLanes())
    /// The decision number of the last decision or erasure.
    let decisionNumber = Atomic<UInt64>(0)
    /// The decision number of the last erasure.
    let lastErasureNumber = Atomic<UInt64>(0)
    /// The hash of the list of registered vendors last reported by a tracker.
    let registeredVendors = Atomic(0)
    /// The capacity, partly reserved by buffered events and events being stored.
    package let room: BufferCapacity
    /// The options in use.
    package let options = EngineOptions()
    private let currentPhase = Atomic(Phase.unopened.rawValue)
    /// The rules by which an option drops new events.
    package let admission = CurrentAdmission()
    /// The hook for the moments at which the destinations are known: while another process uses the directory, and at
    /// each opening.
    package let served = OptionHook()
    package let runtime: EngineRuntime
    /// The listeners that follow each event.
    package let outcomes: OutcomeListeners
    /// The engine's observer, such as its log.
    package let observation: Observation
    /// The listeners of diagnostics.
    package let diagnostics: DiagnosticStream
    /// Whether the wait for the engine's opening has started, or is not needed.
    let watchesOpening: Atomic<Bool>
    /// Reports that the engine was not opened, once.
    let unopenedNotice: Mutex<(@Sendable () -> Void)?>

    /// The number of buffered events that wakes the writer, even if all are relaxed.
    package static let groupSize = 64
    /// The binary logarithm of the number of shards: enough for most concurrent threads to have separate ones.
    private static let shardBits = 5

    /// Creates a buffer that accepts events but wakes no writer until it is opened.
    ///
    /// - Parameters:
    ///   - clock: The clock for timestamps and waits.
    ///   - eventTime: Returns the time of a new event, or `nil` to use the clock's wall time.
    ///   - capacity: The maximum number of unstored events in memory.
    ///   - byteCapacity: The maximum size of their names and parameters in bytes, or `nil` for the default.
    ///   - runtime: The source of randomness, and of the shards in a simulation.
    ///   - unopened: Reports that the engine was not opened, or `nil` for a line in the system's log.
    package init(
        clock: any DeliveryClock,
        eventTime: (@Sendable () -> Timestamp)?,
        capacity: Int,
        byteCapacity: Int? = nil,
        runtime: EngineRuntime = .system,
        unopened: (@Sendable () -> Void)? = nil
    ) {
        observation = Observation(clock: clock)
        diagnostics = DiagnosticStream(observation: observation)
        let notice = unopened ?? SystemLog.unopenedNotice(with: clock)
        unopenedNotice = Mutex(notice)
        watchesOpening = Atomic(notice == nil)
        self.clock = clock
        self.runtime = runtime
        self.eventTime = eventTime
        room = BufferCapacity(events: capacity, bytes: byteCapacity)
        outcomes = OutcomeListeners(clock: clock)
        var random = runtime.generator
        ids = EventIDGenerator(seed: &random)
        let now = eventTime?() ?? clock.wallTime()
        // The empty device id is replaced by the installation's id when the engine opens.
        let first = Identity(deviceID: "", sessionID: ids.next(at: now).description, sessionStart: now)
        let identity = CurrentIdentity(first, now: clock.monotonicTime())
        self.identity = identity
        shards = (0..<1 << EventBuffer.shardBits).map { _ in BufferShard(identity) }
    }

    /// The time of a new event.
    package var now: Timestamp { eventTime?() ?? clock.wallTime() }

    /// The number of buffered events, including events being stored.
    package var unstoredCount: Int { room.events }

    /// Whether new events are dropped because the buffer is closed.
    package var isClosed: Bool { phase == .closed }

    /// Whether the engine was neither opened nor closed.
    var isUnopened: Bool { phase == .unopened }

    /// The current phase.
    var phase: Phase { Phase(rawValue: currentPhase.load(ordering: .acquiring)) ?? .closed }

    /// Runs a block on the lanes, under their lock.
    ///
    /// - Parameter body: The block. It may take a shard's lock. A block under a shard's lock must not take this one.
    /// - Returns: The result of the block.
    package func withLanes<Result>(_ body: (inout sending BufferLanes) -> sending Result) -> sending Result {
        lanes.withLock(body)
    }

    /// Buffers an event, or drops and counts it.
    ///
    /// - Parameters:
    ///   - lane: The lane's index.
    ///   - id: The lane's name.
    ///   - consent: The lane's decision in effect.
    ///   - name: The event's name.
    ///   - parameters: The event's parameters.
    ///   - defaults: The default parameters, including the scope's.
    ///   - options: The durability and the priority.
    ///   - scope: The scope of the event, or `nil` for the engine's identity.
    ///   - reserved: The time of the call and its reserved capacity, if it could wait for capacity.
    ///   - receipt: The continuation of a waiting caller, if any.
    ///   - update: The event's profile update, if any. It has its own time, identity and number, and is not limited by
    ///     name.
    /// - Returns: The event's id, and the reason if the event was dropped.
    @discardableResult
    @inline(never)  // It is large, and several functions call it.
    package func accept(
        lane: Int,
        id laneID: LaneID,
        consent: LaneConsent,
        name: String,
        parameters: EventParameters,
        defaults: EventParameters,
        options: TrackOptions,
        scope: TrackingScope? = nil,
        reserved: ReservedCapacity? = nil,
        receipt: PendingReceipt? = nil,
        update: UpdateCall? = nil
    ) -> (id: EventID, reason: DropReason?) {
        // Read the clocks before taking the shard's lock: the app's closure for the event time may be slow.
        let (time, now) = (update?.time ?? reserved?.time ?? self.now, clock.monotonicTime())
        if update == nil, scope?.hasEngineSession ?? true { identity.noteTrack(at: now, time: time, ids: ids) }
        let shard = shards[runtime.shard?() ?? EventBuffer.shardOfThread]
        let share = BufferCapacity.Share.of(name, parameters, defaults)
        let held = reserved?.share ?? BufferCapacity.Share()
        let outcome: (id: EventID, lost: DropReason?, wakes: Bool) =
            shard.withState { state in
                let id = ids.next(at: time)
                // The decision number is read before the consent, so a denial covers each event that missed it.
                let number = update?.number ?? lastNumber
                var identity = update?.identity ?? state.identity(self.identity)
                if let scope { identity = scope.identity(over: identity, at: time) }
                // The events of a user whose id is not used must not be attributed to another one.
                let excess = scope?.hasLongID == true ? .idTooLong : share.excess(parameters, defaults)
                var refusal = refusal(consent) ?? excess
                if refusal == nil, update == nil, admission.version > 0 {
                    refusal = state.refusal(by: admission, of: name, on: laneID, identity, at: now)
                }
                if let reason = refusal ?? room.take(share, options.priority, insteadOf: held) {
                    return (id: id, lost: reason, wakes: false)
                }
                let entry = BufferedEvent(
                    lane: lane,
                    options: options,
                    id: id,
                    number: number,
                    time: time,
                    identity: consume identity,
                    name: name,
                    parameters: parameters,
                    defaults: defaults,
                    receipt: receipt,
                    update: update,
                    share: share
                )
                let isFirstRelaxed = state.append(consume entry, now: now)
                let wakes = wakesWriter(options.durability, isFirstRelaxed: isFirstRelaxed, count: state.count)
                return (id: id, lost: nil, wakes: wakes)
            }
        if outcome.wakes { wakeWriter() }
        guard let reason = outcome.lost else { return (outcome.id, nil) }
        room.giveBack(held)
        drop(lane: lane, reason, id: outcome.id, on: shard, now: now)
        publishLost([(outcome.id, lane)], reason)
        receipt?.resume(returning: Receipt(id: outcome.id, outcome: .dropped(reason)))
        return (outcome.id, reason)
    }

    /// Returns the identity of a new event, which may start a session.
    package func identityOfNextEvent(at time: Timestamp) -> FrozenIdentity {
        let scope = TrackingScope.current
        if scope?.hasEngineSession ?? true {
            identity.noteTrack(at: clock.monotonicTime(), time: time, ids: ids)
        }
        let current = FrozenIdentity(identity.value)
        return scope?.identity(over: current, at: time) ?? current
    }

    /// Opens the buffer: from now on, events wake the writer.
    ///
    /// - Parameters:
    ///   - sessions: The rules of sessions.
    ///   - deviceID: The installation's id, which events without one get.
    package func acceptEvents(sessions: SessionRules, deviceID: String) {
        identity.use(sessions)
        identity.change { if $0.deviceID.isEmpty { $0.deviceID = deviceID } }
        _ = currentPhase.compareExchange(
            expected: Phase.unopened.rawValue,
            desired: Phase.open.rawValue,
            ordering: .acquiringAndReleasing
        )
    }

    /// Closes the buffer.
    ///
    /// Later events are dropped and counted.
    package func close() {
        currentPhase.store(Phase.closed.rawValue, ordering: .releasing)
        room.returned.call()
    }

    /// Returns the reason to drop an event regardless of its content and the free capacity, or `nil`.
    @inline(__always) private func refusal(_ consent: LaneConsent) -> DropReason? {
        phase == .closed ? .closed : consent.dropReason
    }
}

extension EventBuffer {
    /// The phases of the buffer.
    ///
    /// It accepts events until it is closed.
    enum Phase: UInt8 {
        case unopened, open, closed
    }

    /// The shard of the calling thread.
    ///
    /// Addresses of threads differ in their middle bits. The multiplication spreads these over the highest bits.
    static var shardOfThread: Int {
        #if canImport(Darwin)
        let thread = UInt(bitPattern: pthread_self())
        #else
        let thread = UInt(pthread_self())
        #endif
        return Int((UInt64(thread) &* 0x9E37_79B9_7F4A_7C15) >> (64 - UInt64(shardBits)))
    }
}
