public import CoreTracker
import Locks

/// Stores events and delivers them durably, to each service on its own lane.
///
/// Until it is opened it holds what is tracked, up to its capacity, and sends nothing; an engine that is never opened
/// (in a preview, in a test) is safe. All members may be called from any thread.
public final class DeliveryEngine: Sendable {
    /// The engine that a product tracker's default parameters use; the app opens it when it starts.
    public static let shared = DeliveryEngine()

    let intake: Intake
    private let diagnosticStream = DiagnosticStream()
    private let running = Mutex<RunningEngine?>(nil)
    private let reporter: FlushReporter
    private let hasReportedAddress = Atomic(false)
    private let closing = Mutex<Task<FlushReport, Never>?>(nil)

    /// Creates an engine that holds events until it is opened.
    ///
    /// - Parameters:
    ///   - clock: The clock of stamps and waits.
    ///   - eventTime: When an event happens that is tracked now; `nil` for the clock's wall time. A replay of earlier
    ///     events answers their own times.
    ///   - capacity: The most events in memory that are not stored yet; what comes beyond is lost and counted.
    ///   - byteCapacity: The most bytes of their names and parameters; `nil` for 2 KB for each event of the capacity,
    ///     and 4 MB at least.
    public init(
        clock: any DeliveryClock = SystemClock(),
        eventTime: (@Sendable () -> Timestamp)? = nil,
        capacity: Int = 8_192,
        byteCapacity: Int? = nil
    ) {
        intake = Intake(clock: clock, eventTime: eventTime, capacity: capacity, byteCapacity: byteCapacity)
        reporter = FlushReporter(intake: intake)
    }

    /// Creates an engine whose tasks, executors and randomness come from a runtime of the caller's.
    package init(
        runtime: EngineRuntime,
        clock: any DeliveryClock,
        eventTime: (@Sendable () -> Timestamp)? = nil,
        capacity: Int = 8_192
    ) {
        intake = Intake(clock: clock, eventTime: eventTime, capacity: capacity, runtime: runtime)
        reporter = FlushReporter(intake: intake)
    }

    /// The entry of a lane, for a service's implementation.
    public func lane(_ id: LaneID) -> DeliveryLane {
        intake.lane(id)
    }

    /// Opens the engine: local and quick, whatever the network does.
    ///
    /// What was tracked before is stored now.
    ///
    /// A directory that cannot be used is not an error: events are kept in memory, and a diagnostic says so.
    public func open(_ configuration: DeliveryConfiguration) async throws(ConfigurationError) {
        var seen: Set<LaneID> = []
        for destination in configuration.destinations where !seen.insert(destination.lane).inserted {
            throw .duplicateLane(destination.lane)
        }
        let engine = RunningEngine(intake: intake, diagnostics: diagnosticStream, configuration: configuration)
        let isFirst = running.withLock { running in
            guard running == nil, !intake.isClosed else { return false }
            running = engine
            return true
        }
        guard isFirst else { throw intake.isClosed ? .closed : .alreadyOpen }
        await engine.start()
    }

    /// Delivers what was tracked before the call, and reports how far it came by the deadline.
    ///
    /// The deadline counts from the call and covers everything that is waited for, a slow disk included. It always
    /// returns: offline, without consent, un-opened and closed too, and at once when the calling task is cancelled. A
    /// back-off is skipped once in 30 s, a receiver's `Retry-After` never.
    public func flush(deadline: Duration) async -> FlushReport {
        guard let engine = open else { return reporter.report(nil, isOpen: false) }
        let ticket = ticket(deadline)
        await wait(for: ticket) { await engine.begin(ticket) }
        return reporter.report(ticket, isOpen: !intake.isClosed)
    }

    /// Flushes, then stops, with everything that is left on disk.
    ///
    /// Nothing is sent afterwards, and events that come later are counted as lost. It returns a second after the
    /// deadline at the latest; where the disk is slower than that, the rest of the stop goes on by itself. A second
    /// call returns with the first one, whose report it is. An engine that was never opened stores nothing: what it
    /// holds is counted as lost, and no opening follows.
    @discardableResult
    public func close(deadline: Duration) async -> FlushReport {
        let engine = running.withLock { running in
            // Nobody can open it any more.
            if running == nil { intake.close() }
            return running
        }
        guard let engine else {
            intake.giveUpBuffered()
            return reporter.report(nil, isOpen: false)
        }
        // Whoever waits for it may be cancelled; the closing goes on.
        let task = closing.withLock { closing in
            let task = closing ?? intake.runtime.task { await self.finish(engine, deadline: deadline) }
            closing = task
            return task
        }
        return await task.value
    }

    private func finish(_ engine: RunningEngine, deadline: Duration) async -> FlushReport {
        let (flushed, end) = (ticket(deadline), ticket(deadline + .seconds(1)))
        await wait(for: flushed) { await engine.begin(flushed) }
        await wait(for: end) {
            await engine.stop()
            end.end()
        }
        return reporter.report(flushed)
    }

    /// Stores everything that was tracked before the call, with a barrier against power loss.
    public func persist() async {
        await open?.persist()
    }

    /// Stores what was tracked before the call, then closes the files and gives up their locks until the storage is
    /// resumed; an engine that is not open stays as it is.
    ///
    /// For a directory that an app shares with its extensions: iOS ends an app that it suspends while it holds a lock
    /// there. It takes as long as a barrier. Until ``resumeStorage()``:
    /// - `track` works as ever. Events are kept in memory, at most 8,192 of them or 4 MB and then the engine's
    ///   capacity; what comes beyond is lost and counted. An end of the process loses them.
    /// - No request begins. What is under way goes on, and its answer is stored when the storage is resumed.
    /// - `persist()` stores nothing, `flush(deadline:)` waits until its deadline, receipts wait; `close(deadline:)`
    ///   resumes the storage first.
    /// - A decision about consent is in force at once. `setConsent` throws `OutboxError.notStored(.suspended)`: the
    ///   decision is stored, and refused events are deleted, when the storage is resumed.
    ///
    /// Another process may open the directory meanwhile, and delivers what it finds there.
    public func suspendStorage() async {
        await open?.suspendStorage()
    }

    /// Opens the files again, with what was kept in memory; without a suspension it does nothing.
    ///
    /// Where another process has taken the file over meanwhile, its events are that process's, and this engine goes on
    /// with a file of its own. A batch whose answer came during the suspension may then be sent by both, with the same
    /// ids.
    public func resumeStorage() async {
        await open?.resumeStorage()
    }

    private var open: RunningEngine? { running.withLock { $0 } }

    private func ticket(_ deadline: Duration) -> FlushTicket {
        FlushTicket(deadline: intake.clock.monotonicTime().advanced(by: deadline))
    }

    /// Begins work whose end, or whose deadline, a ticket tells.
    private func wait(for ticket: FlushTicket, _ work: @escaping @Sendable () async -> Void) async {
        intake.runtime.task(work)
        await ticket.wait(clock: intake.clock, runtime: intake.runtime)
    }

    /// How each lane is doing, in order of the lanes' names.
    public func statistics() async -> [LaneStatistics] {
        if let engine = open { return await engine.opened.statistics() }
        return intake.unopenedStatistics
    }

    /// Where an event is, and why; `nil` for an id that is not known (any more).
    public func explain(_ id: EventID) async -> EventExplanation? {
        if let engine = open { return await engine.opened.explain(id) }
        return intake.laneOfBuffered(id).map { EventExplanation(lane: $0, fate: .buffered) }
    }

    /// What happens from now on, for the app's logger; a slow listener loses the oldest.
    public func diagnostics() -> AsyncStream<Diagnostic> {
        diagnosticStream.subscribe()
    }

    /// Ends the pause of a lane, or of all, because its cause is gone.
    public func resume(_ lane: LaneID? = nil) async {
        await open?.resume(lane)
    }

    /// Sets the user's decision about a purpose, stores it and applies it.
    ///
    /// The decision is in force for new events at the moment of the call, whatever other calls are under way. The last
    /// decision about a purpose holds, also at later starts. A denial returns when it is stored, no request of the
    /// purpose is under way, and no byte of its events is left on disk. A grant returns when it is stored and held
    /// events are released.
    ///
    /// - Parameters:
    ///   - consent: The user's decision.
    ///   - purpose: The purpose that it is about.
    /// - Throws: `OutboxError.notStored` if the decision is not stored. It holds until the process ends, and is stored
    ///   as soon as it can be. The next start may not know it, so set it again then. An engine that was never opened
    ///   throws this for a denial, which the opening stores. Any other error means that it is stored, and bytes
    ///   of refused events could not be deleted yet: nothing of the purpose is sent, and they are deleted as soon as
    ///   they can be. A closed engine throws `OutboxError.notOpen`, and the next opening deletes them.
    public func setConsent(_ consent: Consent, for purpose: ConsentPurpose) async throws(OutboxError) {
        intake.say(consent, about: purpose)
        if let engine = open {
            try await engine.applyConsent(after: consent, about: purpose)
        } else if consent == .denied {
            throw .notStored(.notOpen)
        }
    }

    /// The quarantined events of a lane, or of all, oldest first.
    public func quarantined(_ lane: LaneID? = nil) async -> [QuarantinedEvent] {
        await open?.opened.quarantined(lane: lane) ?? []
    }

    /// Puts quarantined events back into their lanes; returns how many there were.
    @discardableResult
    public func retryQuarantined(_ ids: Set<EventID>) async -> Int {
        await open?.opened.retryQuarantined(ids) ?? 0
    }

    /// Gives quarantined events up, counted; returns how many there were.
    @discardableResult
    public func discardQuarantined(_ ids: Set<EventID>) async -> Int {
        await open?.opened.discardQuarantined(ids) ?? 0
    }

    /// The events that have been taken and are not stored yet; more than the capacity are lost.
    package var unstoredCount: Int { intake.unstoredCount }

    func storedEventsWhileRunning() async -> [LaneID: StoredEvents]? {
        await open?.opened.storedEvents()
    }
}

/// Who events belong to: each change holds for the events that are tracked after it, whatever thread tracks them.
extension DeliveryEngine {
    /// The identity that an event gets that is tracked now; the device id is empty until the engine is open.
    public var identity: Identity {
        intake.identity.value
    }

    /// Sets the signed-in user, by an id of the app's own that tells nothing of a person.
    ///
    /// It goes to the services as it is. An id that looks like an e-mail address is reported by a diagnostic, once.
    public func identify(user: String) {
        if Identity.looksLikeAddress(user), !hasReportedAddress.exchange(true, ordering: .relaxed) {
            diagnosticStream.sendOnce(.userIDLooksPersonal)
        }
        intake.identity.change { $0.setUser(user) }
    }

    /// Sets the signed-in user, by an id that tells of a person: each service gets it as the policy says, or none.
    ///
    /// A hash is that of the id as it is written; see `EventParameters.sensitive(_:as:_:)`.
    public func identify(user: Sensitive<some ParameterRepresentable>, _ policy: SensitivePolicy) {
        let parameter = EventParameters.sensitive(user, as: "user_id", policy).sensitive.first
        intake.identity.change { $0.setUser(nil, parameter) }
    }

    /// Forgets the signed-in user; installation and session stay.
    public func clearUser() {
        intake.identity.change { $0.setUser(nil) }
    }

    /// Begins a session; without an id it gets one of its own.
    public func startSession(id: String? = nil, at time: Timestamp? = nil) {
        let time = time ?? intake.now
        let id = id ?? intake.ids.next(at: time).description
        intake.identity.startSession(at: intake.clock.monotonicTime()) { $0.startSession(id: id, at: time) }
    }

    /// Forgets user, session and installation: what is tracked afterwards cannot be joined to what was before.
    ///
    /// It holds for events that are tracked from the moment of the call on; the call returns when the new installation
    /// is stored, so that no end of the process brings the old one back.
    public func reset() async {
        becomeAnother()
        await persist()
    }

    private func becomeAnother() {
        let time = intake.now
        let session = intake.ids.next(at: time).description
        var random = intake.runtime.generator
        let device = Installation.makeID(using: &random)
        intake.identity.startSession(at: intake.clock.monotonicTime()) {
            $0.startSession(id: session, at: time)
            $0.setUser(nil)
            $0.deviceID = device
        }
    }
}

/// Erasing what is kept of users.
extension DeliveryEngine {
    /// Erases what this device keeps of a user's events: all that were tracked while this user was signed in, of every
    /// lane, held and quarantined ones too; returns how many events those were.
    ///
    /// When it returns, no byte of them is left on disk, as after a denial, also in files of ended processes; damaged
    /// files that were set aside are deleted, too, and what a version before this one has stored, which does not say
    /// whose it is. No request that carries one of them is under way. They count as `erased`. Other processes that use
    /// the directory do the same before they send again. What receivers have is theirs; the user stays signed in until
    /// ``clearUser()``.
    ///
    /// It is stored before it is begun, so that it goes on at the next start where a kill interrupts it. Throws why
    /// bytes could not be deleted yet: none of them is sent all the same, and they are deleted as soon as they can be,
    /// those of a file that this process cannot read by the next one that can. An engine that is not open throws
    /// `OutboxError.notOpen`, and the opening erases.
    @discardableResult
    public func erase(user id: String) async throws(OutboxError) -> Int {
        try await erase(UserMark(userID: id))
    }

    /// Erases what this device keeps of a user who is known by a sensitive id, as ``erase(user:)-(String)`` does.
    @discardableResult
    public func erase(user id: Sensitive<some ParameterRepresentable>) async throws(OutboxError) -> Int {
        guard let text = EventParameters.sensitive(id, as: "user_id", .drop).sensitive.first?.text else { return 0 }
        return try await erase(UserMark(userID: text))
    }

    /// Forgets everything that this device keeps: all events of all lanes and users, what was set aside, and, as
    /// ``reset()`` does, user, session and installation; returns how many events those were.
    ///
    /// It promises what ``erase(user:)-(String)`` does. Events that are tracked while it is under way may go with the
    /// rest. What the user has said about purposes stays, since a denial must not be forgotten, and so do the counts.
    @discardableResult
    public func eraseEverything() async throws(OutboxError) -> Int {
        becomeAnother()
        return try await erase(nil)
    }

    private func erase(_ user: UserMark?) async throws(OutboxError) -> Int {
        let buffered = intake.erase(user)
        guard let engine = open else { throw .notOpen }
        return buffered + (try await engine.erase())
    }
}
