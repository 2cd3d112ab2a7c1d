public import CoreTracker
import Locks

/// An engine that stores events and delivers them durably, to each service on a separate lane.
///
/// Before the app opens the engine, it buffers events up to its capacity and sends nothing. It is safe never to open
/// it, for example in a preview or a test. All members can be called from any thread. ``user`` has the calls about the
/// signed-in user, and ``quarantine`` those about refused events.
///
/// ```swift
/// let engine = DeliveryEngine(clock: TestClock())
/// try await engine.open(
///     DeliveryConfiguration(directory: nil, destinations: [LineDestination()], transport: transport)
/// )
/// let lane = engine.lane(LineDestination().lane)
///
/// for number in 1...5 { lane.track("viewed", parameters: ["number": number]) }
/// let report = await engine.flush(timeout: .seconds(5))
/// ```
public final class DeliveryEngine: Sendable {
    /// The default engine of product trackers.
    ///
    /// Open it when your app launches.
    public static let shared = DeliveryEngine()

    package let buffer: EventBuffer
    private let running = Mutex<(any OpenEngine)?>(nil)
    private let reporter: FlushReporter
    /// Whether an id like an e-mail address was reported.
    let hasReportedAddress = Atomic(false)
    private let closing = Mutex<Task<FlushReport, Never>?>(nil)

    /// Creates an engine that buffers events until it is opened.
    ///
    /// - Parameters:
    ///   - clock: The clock for timestamps and waits.
    ///   - eventTime: Returns the time of a new event, or `nil` to use the clock's wall time. A replay of earlier
    ///     events returns their original times.
    ///   - capacity: The maximum number of unstored events in memory, of which events of normal priority fill up to
    ///     seven eighths. Further events are dropped and counted.
    ///   - byteCapacity: The maximum size of their names and parameters in bytes, or `nil` for 2 KB for each event of
    ///     `capacity`, but at least 4 MB.
    public init(
        clock: any DeliveryClock = SystemClock(),
        eventTime: (@Sendable () -> Timestamp)? = nil,
        capacity: Int = 8_192,
        byteCapacity: Int? = nil
    ) {
        buffer = EventBuffer(clock: clock, eventTime: eventTime, capacity: capacity, byteCapacity: byteCapacity)
        reporter = FlushReporter(buffer: buffer)
    }

    /// Creates an engine that takes its tasks, executors and randomness from a runtime.
    ///
    /// - Parameters:
    ///   - runtime: The tasks, executors and randomness.
    ///   - clock: The clock for timestamps and waits.
    ///   - eventTime: Returns the time of a new event, or `nil` to use the clock's wall time.
    ///   - capacity: The maximum number of unstored events in memory.
    ///   - unopened: Reports that the engine was not opened, or `nil` for a line in the system's log.
    package init(
        runtime: EngineRuntime,
        clock: any DeliveryClock,
        eventTime: (@Sendable () -> Timestamp)? = nil,
        capacity: Int = 8_192,
        unopened: (@Sendable () -> Void)? = nil
    ) {
        buffer = EventBuffer(
            clock: clock,
            eventTime: eventTime,
            capacity: capacity,
            runtime: runtime,
            unopened: unopened
        )
        reporter = FlushReporter(buffer: buffer)
    }

    /// Returns the lane through which a service's implementation tracks its events.
    ///
    /// - Parameter id: The product and the service.
    /// - Returns: The lane. It can be used before the engine is open.
    public func lane(_ id: LaneID) -> DeliveryLane {
        buffer.lane(id)
    }

    /// Sets the parts of the open engine.
    ///
    /// - Parameter engine: The parts.
    /// - Returns: `false` if the engine was opened before or is closed.
    package func attach(_ engine: any OpenEngine) -> Bool {
        running.withLock { running in
            guard running == nil, !buffer.isClosed else { return false }
            running = engine
            return true
        }
    }

    /// Delivers the events tracked before the call, and reports how many were delivered in time.
    ///
    /// The timeout counts from the call and covers every wait, including a slow disk. The function always returns:
    /// offline, without consent, before the engine is opened and after it is closed. If the calling task is cancelled,
    /// it returns at once. A back-off is skipped at most once in 30 s. A receiver's `Retry-After` is never skipped.
    ///
    /// - Parameter timeout: The maximum wait.
    /// - Returns: The report for each lane since the last report.
    public func flush(timeout: Duration = .seconds(10)) async -> FlushReport {
        guard let engine = open else {
            buffer.logUnopened()
            return reporter.report(nil, isOpen: false)
        }
        let flush = Flush(deadline(timeout))
        await wait(for: flush.deadline) { await engine.openedStore.begin(flush) }
        return reporter.report(flush, isOpen: !buffer.isClosed)
    }

    /// Flushes, then stops the engine.
    ///
    /// Remaining events stay on disk. Events that no directory could store are lost, and counted as `storage_full` if
    /// the disk is full, or else as `closed`. If denied or erased events are not deleted yet, the rest of the time is
    /// used for their deletion. Nothing is sent afterwards, and later events are counted as lost. The function returns
    /// one second after the timeout at the latest. If the disk is slower than that, the engine stops in the background.
    /// A second call waits for the first one and returns its report. If the engine was never opened, it stores nothing:
    /// its events are counted as lost, and it cannot be opened later.
    ///
    /// - Parameter timeout: The maximum time for the flush.
    /// - Returns: The report of the flush.
    @discardableResult
    public func close(timeout: Duration = .seconds(5)) async -> FlushReport {
        buffer.logUnopened()
        let engine = running.withLock { running in
            // No later call can open the engine.
            if running == nil { buffer.close() }
            return running
        }
        guard let engine else {
            buffer.giveUpBuffered()
            buffer.outcomes.finish()
            buffer.diagnostics.finish()
            return reporter.report(nil, isOpen: false)
        }
        // The caller's task may be cancelled, but the engine must still close.
        let task = closing.withLock { closing in
            let task = closing ?? buffer.runtime.task { await self.finish(engine, timeout: timeout) }
            closing = task
            return task
        }
        return await task.value
    }

    /// Whether ``close(timeout:)`` was called while the engine was open.
    package var isClosing: Bool { closing.withLock { $0 != nil } }

    private func finish(_ engine: any OpenEngine, timeout: Duration) async -> FlushReport {
        let (flush, end) = (Flush(deadline(timeout)), deadline(timeout + .seconds(1)))
        await wait(for: flush.deadline) { await engine.openedStore.begin(flush) }
        await wait(for: end) {
            await engine.stop(by: flush.deadline.instant)
            end.end()
        }
        // If the process was frozen until the timeout, its lanes are not stopped yet.
        buffer.close()
        return reporter.report(flush)
    }

    /// Stores all events tracked before the call, with a barrier against power loss.
    ///
    /// It also returns if they cannot be stored now, for example because another process uses the directory. The events
    /// then stay in memory, and the ``LaneStatistics/storageFailure`` of an open engine has the reason. To be sure of a single event, wait
    /// for its receipt with ``DeliveryLane/trackUntilStored(_:parameters:defaults:options:)``.
    public func storeBuffered() async {
        await open?.openedStore.storeAll(barrier: true)
    }

    /// Cancels the requests in flight, stores the events tracked before the call, then closes the files and releases
    /// the directory until ``resumeStorage()``.
    ///
    /// This is for a directory in the container of an App Group: iOS terminates a suspended app that holds a lock
    /// there. It waits for at most one second until the cancelled requests have ended, then makes a barrier. Their
    /// batches are sent again later, with the same ids. It does nothing if the engine is not open or has no directory.
    /// During the suspension:
    /// - `track` works as usual. Events are kept in the engine's buffer, within its capacity. Further events are
    ///   dropped and counted. Events in the buffer are lost if the process ends.
    /// - No request starts.
    /// - `storeBuffered()` stores nothing, and receipts wait. `flush(timeout:)` waits until its timeout, and reports
    ///   ``FlushReport/Outcome/storageUnavailable(_:)``, or ``FlushReport/Outcome/timedOut`` if the directory could not
    ///   be used before. `close(timeout:)` stores the events at its end, if no other process uses the directory, but
    ///   sends none.
    /// - A consent decision takes effect at once. `setConsent` and `erase` throw `DecisionError.notStored(.suspended)`.
    ///   The decision is stored and applied when the storage resumes.
    ///
    /// Another process may use the directory during the suspension, and then delivers the stored events. Events kept
    /// only in memory because the disk refused them are lost, and counted as `buffer_full`.
    public func suspendStorage() async {
        await open?.suspendStorage()
    }

    /// Opens the directory again as at a start, and stores the events kept in the buffer.
    ///
    /// Does nothing without a suspension. While another process uses the directory, the engine waits until it is free.
    /// The other process's stored decisions are then in effect, and this process's own decisions are stored after them.
    /// A denial by the other process replaces a grant made by this process during the wait.
    public func resumeStorage() async {
        await open?.openedStore.resumeStorage()
    }

    /// The listeners of diagnostics.
    var diagnosticStream: DiagnosticStream { buffer.diagnostics }

    /// The parts of the open engine, or `nil`.
    package var open: (any OpenEngine)? { running.withLock { $0 } }

    private func deadline(_ timeout: Duration) -> Deadline {
        Deadline(buffer.clock.monotonicTime().advanced(by: timeout))
    }

    /// Starts work that ends a wait, and waits for its end or its deadline.
    private func wait(for deadline: Deadline, _ work: @escaping @Sendable () async -> Void) async {
        buffer.runtime.task(work)
        await deadline.wait(clock: buffer.clock, runtime: buffer.runtime)
    }

    /// Returns the state of each lane.
    ///
    /// - Returns: The statistics of each known lane, sorted by the lanes' names.
    public func statistics() async -> [LaneStatistics] {
        if let engine = open { return await engine.openedStore.statistics() }
        return buffer.unopenedStatistics
    }

    /// Returns the status of an event.
    ///
    /// - Parameter id: The id from ``recentEvents(named:on:limit:)``, a receipt or a diagnostic.
    /// - Returns: The lane and the status, or `nil` if the id is unknown or no longer known.
    public func explain(_ id: EventID) async -> EventExplanation? {
        if let engine = open { return await engine.openedStore.explain(id) }
        return buffer.explanation(of: id)
    }

    /// Returns a stream of diagnostics from now on, for the app's logger.
    ///
    /// A slow listener loses the oldest ones.
    ///
    /// - Returns: The stream, which ends when the engine is closed.
    public func diagnostics() -> AsyncStream<Diagnostic> {
        diagnosticStream.subscribe()
    }

    /// Ends the pause of a lane after its cause is fixed.
    ///
    /// If the directory is not open, a stored pause of an earlier run or of another process remains.
    ///
    /// - Parameter lane: The lane, or `nil` for all lanes.
    public func resume(_ lane: LaneID? = nil) async {
        await open?.openedStore.resume(lane)
    }

    /// Sets the user's decision about a purpose, stores it and applies it.
    ///
    /// The decision takes effect at the moment of the call, even if other calls are running. The latest decision about
    /// a purpose is valid, even after a restart. A grant returns when it is stored. A denial returns when it is stored,
    /// no request of the purpose is in flight, and no byte of the purpose's events is left on disk.
    ///
    /// - Parameters:
    ///   - consent: The user's decision.
    ///   - purpose: The purpose.
    /// - Throws: `DecisionError.notStored`, with the reason, if the decision is not stored. The engine stores it as
    ///   soon as possible; if the process ends before that, set it again at the next start. With the reason
    ///   `directoryInUse`, the engine waits for another process, and a denial stored by that process meanwhile replaces
    ///   a grant. If the engine was never opened, it throws `notStored(.notOpen)` for a denial, and stores all
    ///   decisions when it is opened. A closed engine throws the same error, and stores nothing. With the reason
    ///   `beyondLimit`, the call has no effect.
    ///   `DecisionError.notYetClean`, with the reason, if a denial is stored and in effect, but bytes of denied events
    ///   are left on disk. They are never sent, and are deleted as soon as possible, also at a later start.
    public func setConsent(_ consent: Consent, for purpose: ConsentPurpose) async throws(DecisionError) {
        guard buffer.isAcceptable(.consent(purpose, consent)) else { throw .notStored(.beyondLimit) }
        _ = try await carryOut(buffer.decide(consent, about: purpose))
    }

    /// Stores a decision that is in effect, and deletes the events that it covers.
    ///
    /// - Returns: The number of stored events erased by an erasure.
    /// - Throws: The errors of ``setConsent(_:for:)`` and ``erase(user:)-(String)``.
    package func carryOut(_ decision: PrivacyDecision) async throws(DecisionError) -> Int {
        if let engine = open { return try await engine.carryOut(decision) }
        guard !buffer.isClosed, !decision.coversEvents else { throw .notStored(.notOpen) }
        return 0
    }

    /// The number of accepted events not yet stored.
    ///
    /// It never exceeds the capacity.
    package var unstoredCount: Int { buffer.unstoredCount }

    /// Counts the events of each lane.
    ///
    /// This reads every row, so use it in checks only.
    ///
    /// - Returns: The count and the ledger of each lane.
    package func storedEvents() async -> [LaneID: StoredEvents] {
        await open?.openedStore.storedEvents()
            ?? buffer.ledgers.keyed { ($0.id, StoredEvents(pending: $0.unstored, quarantined: 0, ledger: $0.ledger)) }
    }
}

/// The identity of events. Each change applies to all events tracked after it, on every thread.
extension DeliveryEngine {
    /// The identity of new events.
    ///
    /// Its device id is empty until the engine has opened its directory.
    public var identity: Identity { buffer.identity.value }

    /// Starts a session.
    ///
    /// - Parameters:
    ///   - id: The session's id, or `nil` to create one. An empty id, or an id of more than 4,096 bytes, is replaced by
    ///     a new one.
    ///   - time: The start of the session, or `nil` for now.
    public func startSession(id: String? = nil, at time: Timestamp? = nil) {
        let time = time ?? buffer.now
        if let id, !Identity.isUsable(id) { diagnosticStream.sendOnce(.idTooLong) }
        let id = id.flatMap { Identity.isUsable($0) && !$0.isEmpty ? $0 : nil }
        buffer.identity.startSession(id: id, at: buffer.clock.monotonicTime(), time: time, ids: buffer.ids)
    }

    /// Replaces the user, session and installation.
    ///
    /// Events tracked afterwards cannot be linked to earlier events. The change applies to all events tracked after the
    /// call begins. The call returns when the new installation is stored, so a restart does not restore the old one. If
    /// nothing can be stored now, it returns without that, as ``storeBuffered()`` does.
    ///
    /// - Parameter installation: The id of the new installation, or `nil` to create one.
    public func reset(installation: InstallationID? = nil) async {
        becomeAnother(installation)
        await storeBuffered()
    }

    private func becomeAnother(_ installation: InstallationID? = nil) {
        let device = installation?.text ?? buffer.runtime.makeInstallationID()
        buffer.identity.startSession(at: buffer.clock.monotonicTime(), time: buffer.now, ids: buffer.ids) {
            $0.setUser(nil)
            $0.deviceID = device
        }
    }
}

/// Deletion of users' events.
extension DeliveryEngine {
    /// Erases a user's events on this device, on every lane.
    ///
    /// It erases all events tracked while the user was signed in, including quarantined events and events that wait for
    /// consent. The erasure is stored in one transaction, and from then on, none of them is sent. When the call returns,
    /// they are counted as `erased`, no request with one of them is in flight, and none of their
    /// bytes is left on disk. Damaged files moved aside earlier are deleted. If the process is killed, the next start
    /// completes the deletion.
    ///
    /// Data at the receivers is not affected, nor are events in the buffer of another process. The user stays signed in
    /// until ``User/clear()``.
    ///
    /// - Parameter id: The user's id, as it was passed to ``User/identify(_:)``.
    /// - Returns: The number of erased events.
    /// - Throws: `DecisionError.notStored`, with the reason, if the erasure is not stored. None of the events is sent
    ///   meanwhile, and the engine stores the erasure as soon as possible; if the process ends before that, erase again
    ///   at the next start. The reason is `notOpen` if the engine was never opened, or is closed, in which case it
    ///   stores nothing. With the reason `beyondLimit`, the call has no effect.
    ///   `DecisionError.notYetClean`, with the reason, if the erasure is stored and in effect, but some of the bytes are
    ///   left on disk. They are deleted as soon as possible, also at a later start.
    @discardableResult
    public func erase(user id: String) async throws(DecisionError) -> Int {
        // No event has such a long id.
        guard Identity.isUsable(id) else { return 0 }
        return try await erase(UserHash(userID: id))
    }

    /// Erases all events of a user with a sensitive id, as ``erase(user:)-(String)`` does.
    ///
    /// - Parameter id: The user's id, as it was passed to ``User/identify(_:policy:)``.
    /// - Returns: The number of erased events, which is 0 for a value without a text.
    /// - Throws: The errors of ``erase(user:)-(String)``.
    @discardableResult
    public func erase(user id: Sensitive<some ParameterRepresentable>) async throws(DecisionError) -> Int {
        guard let text = EventParameters.sensitive(id, as: "user_id", policy: .drop).sensitive.first?.text else {
            return 0
        }
        return try await erase(user: text)
    }

    /// Erases all events of all lanes and users, and replaces user, session and installation as ``reset(installation:)`` does.
    ///
    /// It gives the same guarantees as ``erase(user:)-(String)``. Events tracked during the call may be erased as well.
    /// Consent decisions and counts stay, since a denial must remain in effect.
    ///
    /// - Returns: The number of erased events.
    /// - Throws: The errors of ``erase(user:)-(String)``.
    @discardableResult
    public func eraseEverything() async throws(DecisionError) -> Int {
        guard buffer.isAcceptable(.erasure(nil)) else { throw .notStored(.beyondLimit) }
        becomeAnother()
        return try await erase(nil)
    }

    private func erase(_ user: UserHash?) async throws(DecisionError) -> Int {
        guard buffer.isAcceptable(.erasure(user)) else { throw .notStored(.beyondLimit) }
        let (count, decision) = buffer.erase(user)
        return count + (try await carryOut(decision))
    }
}

extension DeliveryEngine {
    /// Returns the most recently tracked events, the newest first.
    ///
    /// Pass an id to ``explain(_:)`` to query its status. At least the last 64 events of each lane are known, also
    /// before the engine is open. Events refused at once, for example without consent, are counted but not listed. A
    /// restart clears the list.
    ///
    /// - Parameters:
    ///   - name: The name of the events, or `nil` for all names.
    ///   - lane: The lane of the events, or `nil` for all lanes.
    ///   - limit: The maximum number of events.
    /// - Returns: The events, sorted by id from the newest to the oldest.
    public func recentEvents(named name: String? = nil, on lane: LaneID? = nil, limit: Int = 20) -> [TrackedEvent] {
        let name = name.map(BufferedEvent.Note.prefix)
        let known = buffer.recentEvents { (name ?? $0.name) == $0.name && (lane ?? $0.lane) == $0.lane }
        return known.sorted(by: \.id).suffix(max(0, limit)).reversed()
    }
}
