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
    }

    /// The entry of a lane, for a service's implementation.
    public func lane(_ id: LaneID) -> DeliveryLane {
        intake.lane(id)
    }

    /// Opens the engine: local and quick, whatever the network does.
    ///
    /// What was tracked before is stored now.
    ///
    /// A directory that cannot be used is no error: events are kept in memory, and a diagnostic says so.
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
        guard isFirst else { throw .alreadyOpen }
        await engine.start()
    }

    /// Delivers what was tracked before the call, and answers how far it got by the deadline.
    ///
    /// It always returns: offline, without consent, un-opened and closed too. A back-off is skipped once in 30 s, a
    /// receiver's `Retry-After` never.
    public func flush(deadline: Duration) async -> FlushReport {
        await running.withLock { $0 }?.flush(deadline: deadline) ?? intake.unopenedReport
    }

    /// Flushes, then stops, with everything that is left on disk.
    ///
    /// Nothing is sent afterwards, and events that come later are counted as lost. A second call answers the first
    /// one's report.
    @discardableResult
    public func close(deadline: Duration) async -> FlushReport {
        guard let engine = running.withLock({ $0 }) else {
            let report = intake.unopenedReport
            intake.close()
            return report
        }
        return await engine.close(deadline: deadline)
    }

    /// Stores everything that was tracked before the call, with a barrier against power loss.
    public func persist() async {
        await running.withLock { $0 }?.store.persistAll(barrier: true)
    }

    /// How each lane is doing, in order of the lanes' names.
    public func statistics() async -> [LaneStatistics] {
        if let engine = running.withLock({ $0 }) { return await engine.store.statistics() }
        return intake.unopenedStatistics
    }

    /// Where an event is, and why; `nil` for an id that is not known (any more).
    public func explain(_ id: EventID) async -> EventExplanation? {
        if let engine = running.withLock({ $0 }) { return await engine.store.explain(id) }
        return intake.laneOfBuffered(id).map { EventExplanation(lane: $0, fate: .buffered) }
    }

    /// What happens from now on, for the app's logger; a slow listener loses the oldest.
    public func diagnostics() -> AsyncStream<Diagnostic> {
        diagnosticStream.subscribe()
    }

    /// Ends the pause of a lane, or of all, because its cause is mended.
    public func resume(_ lane: LaneID? = nil) async {
        await running.withLock { $0 }?.resume(lane)
    }

    /// Applies what the user has said about a purpose.
    ///
    /// A denial returns when requests under way are cancelled and no byte of the purpose's events is left on disk.
    public func setConsent(_ consent: Consent, for purpose: ConsentPurpose) async throws(OutboxError) {
        // Before the engine is open the word is noted, and holds from the opening on.
        intake.withLanes { $0.consent[purpose] = consent }
        try await running.withLock { $0 }?.setConsent(consent, for: purpose)
    }

    /// The quarantined events of a lane, or of all, oldest first.
    public func quarantined(_ lane: LaneID? = nil) async -> [QuarantinedEvent] {
        await running.withLock { $0 }?.store.quarantined(lane: lane) ?? []
    }

    /// Puts quarantined events back into their lanes; answers how many there were.
    @discardableResult
    public func retryQuarantined(_ ids: Set<EventID>) async -> Int {
        await running.withLock { $0 }?.store.retryQuarantined(ids) ?? 0
    }

    /// Gives quarantined events up, counted; answers how many there were.
    @discardableResult
    public func discardQuarantined(_ ids: Set<EventID>) async -> Int {
        await running.withLock { $0 }?.store.discardQuarantined(ids) ?? 0
    }

    /// The events that have been taken and are not stored yet; more than the capacity are lost.
    package var unstoredCount: Int { intake.unstoredCount }

    func knownEventsWhileRunning(limit: Int) async -> [KnownEvent]? {
        await running.withLock { $0 }?.store.knownEvents(limit: limit)
    }

    func storedEventsWhileRunning() async -> [LaneID: StoredEvents]? {
        await running.withLock { $0 }?.store.storedEvents()
    }
}
