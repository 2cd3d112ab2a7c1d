public import CoreTracker
import Synchronization

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
    private let closing = Mutex<Task<FlushReport, Never>?>(nil)

    /// Creates an engine that holds events until it is opened.
    ///
    /// - Parameters:
    ///   - clock: The clock of stamps and waits.
    ///   - eventTime: When an event happens that is tracked now; `nil` for the clock's wall time. A replay of earlier
    ///     events answers their own times.
    ///   - capacity: The most events in memory that are not stored yet; what comes beyond is lost and counted.
    public init(
        clock: any DeliveryClock = SystemClock(),
        eventTime: (@Sendable () -> Timestamp)? = nil,
        capacity: Int = 8_192
    ) {
        intake = Intake(clock: clock, eventTime: eventTime, capacity: capacity)
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
            guard running == nil else { return false }
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
    /// call returns the first one's report.
    @discardableResult
    public func close(deadline: Duration) async -> FlushReport {
        guard let engine = open else {
            intake.close()
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

    /// Notes what the user says about a purpose.
    ///
    /// The word is in force for new events at the moment of the call, whatever other calls are under way; of several
    /// words the one that was said last holds. A denial returns when no request of the purpose is under way and no byte
    /// of its events is left on disk; a grant, when held events are released.
    ///
    /// Throws why bytes could not be deleted yet: the word holds all the same, nothing of the purpose is sent, and the
    /// deletion is made as soon as it can be. An engine that is not open cannot reach what an earlier run has left, so
    /// a denial throws `OutboxError.notOpen` then, and the opening deletes it.
    public func setConsent(_ consent: Consent, for purpose: ConsentPurpose) async throws(OutboxError) {
        intake.say(consent, about: purpose)
        if let engine = open {
            try await engine.applyConsent()
        } else if consent == .denied {
            throw .notOpen
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

    func knownEventsWhileRunning(limit: Int) async -> [KnownEvent]? {
        await open?.opened.knownEvents(limit: limit)
    }

    func storedEventsWhileRunning() async -> [LaneID: StoredEvents]? {
        await open?.opened.storedEvents()
    }
}
