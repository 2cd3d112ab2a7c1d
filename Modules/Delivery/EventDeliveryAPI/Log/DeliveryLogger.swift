package import CoreTracker
import Locks

/// A logger that observes the causes of waiting and lost events, and writes the lines of an engine's log.
///
/// It takes the causes from the statistics of the lanes. It looks at them after a diagnostic, a change of consent or of
/// a hold, and five seconds after the start of a request. It never looks within a quarter of a second after the last
/// look.
package final class DeliveryLogger: Sendable {
    private struct State {
        var log: DeliveryLog
        var detail: DeliveryLog.Detail?
        var causes = CauseTable()
        /// The incidents before the app has chosen a log.
        var early: [(cause: Explanation, lane: LaneID?)]? = []
        /// The time of the next look, if any.
        var due: MonotonicInstant?
        var lastLook: MonotonicInstant?
    }

    /// The minimum time between two looks.
    private static let spacing = Duration.milliseconds(250)
    /// The maximum number of incidents kept until the app has chosen a log.
    private static let maximumEarly = 16

    /// The signal that a look is due earlier than before.
    package let wake = WakeSignal()
    private let state: Mutex<State>
    private let clock: any DeliveryClock
    private let isOn: Atomic<Bool>
    private let isDebug = Atomic(false)
    private let hasReportedCauses = Atomic(false)

    /// Creates a logger.
    ///
    /// - Parameters:
    ///   - clock: The engine's clock.
    ///   - log: The log until the engine is opened.
    init(clock: any DeliveryClock, log: DeliveryLog = .standard) {
        self.clock = clock
        let detail = log.detail(with: clock)
        state = Mutex(State(log: log, detail: detail))
        isOn = Atomic(detail != nil)
    }

    /// Whether there is a log.
    package var isEnabled: Bool { isOn.load(ordering: .relaxed) }

    /// Whether the log has a line for each event and each request.
    package var isDebugging: Bool { isDebug.load(ordering: .relaxed) }

    /// Whether the log has reported a cause, but not yet its end.
    package var hasCauses: Bool { hasReportedCauses.load(ordering: .relaxed) }

    /// The time of the next look, or `nil` if none is due.
    package var due: MonotonicInstant? { state.withLock { $0.due } }

    /// Sets the log chosen by the app, and reports the earlier incidents.
    ///
    /// - Parameter log: The log.
    package func configure(_ log: DeliveryLog) {
        let detail = log.detail(with: clock)
        let early = state.withLock { state in
            (state.log, state.detail) = (log, detail)
            defer { state.early = nil }
            return state.early ?? []
        }
        isOn.store(detail != nil, ordering: .relaxed)
        isDebug.store(detail == .debug, ordering: .relaxed)
        for (cause, lane) in early { report(cause, of: lane) }
    }

    /// Plans a look at the causes.
    ///
    /// - Parameter delay: The time until the look.
    package func planLook(in delay: Duration = .zero) {
        guard isEnabled else { return }
        let now = clock.monotonicTime()
        let isEarlier = state.withLock { state in
            let earliest = state.lastLook.map { $0.advanced(by: DeliveryLogger.spacing) } ?? now
            let due = max(now.advanced(by: delay), earliest)
            guard state.due.map({ due < $0 }) ?? true else { return false }
            state.due = due
            return true
        }
        if isEarlier { wake.signal() }
    }

    /// Writes a line for each cause that began or ended, and plans the next look.
    ///
    /// A look planned while the statistics are read is not lost.
    ///
    /// - Parameters:
    ///   - isFinal: Whether the engine is closed. Causes then do not end.
    ///   - read: Returns the present statistics of all lanes.
    package func look(isFinal: Bool = false, _ read: () -> [LaneStatistics]) {
        guard isEnabled else { return }
        let now = clock.monotonicTime()
        state.withLock { ($0.due, $0.lastLook) = (nil, now) }
        let statistics = read()
        let ages = statistics.compactMap(\.requestAge).filter { $0 < LaneStatistics.patience }
        let (log, lines, hasCauses) = state.withLock { state in
            let causes = statistics.map { (lane: $0.id, causes: $0.loggedCauses) }
            let lines = state.causes.update(causes, at: now, isFinal: isFinal)
            let late = ages.max().map { now.advanced(by: LaneStatistics.patience - $0) }
            state.due = [state.due, state.causes.due, late].compactMap(\.self).min()
            return (state.log, lines, state.causes.hasCauses)
        }
        hasReportedCauses.store(hasCauses, ordering: .relaxed)
        for line in lines { log.output(line) }
    }

    /// Writes the line of something that happens at one moment.
    ///
    /// Before the app has chosen a log, the line waits.
    ///
    /// - Parameters:
    ///   - cause: The cause and the cure.
    ///   - lane: The lane, or `nil` if the cause belongs to no lane.
    private func report(_ cause: Explanation, of lane: LaneID?) {
        let now = clock.monotonicTime()
        let (log, line): (DeliveryLog, DeliveryLog.Entry?) = state.withLock { state in
            if let early = state.early {
                if early.count < DeliveryLogger.maximumEarly { state.early?.append((cause, lane)) }
                return (state.log, nil)
            }
            guard state.detail != nil else { return (state.log, nil) }
            return (state.log, state.causes.report(cause, of: lane, at: now))
        }
        if let line { log.output(line) }
    }

    /// Writes a line for an event or a request, if the log has such lines.
    ///
    /// - Parameters:
    ///   - lanes: The lanes.
    ///   - code: The name of the line's kind.
    ///   - message: The text, without event data.
    package func debug(_ lanes: [LaneID], code: String, _ message: String) {
        guard isDebugging else { return }
        state.withLock { $0.log }.output(DeliveryLog.Entry(.debug, lanes, code: code, message))
    }

    /// Reports the incident of a diagnostic, or plans a look at the causes that it can change.
    func note(_ diagnostic: Diagnostic) {
        guard let cause = diagnostic.incident else { return planLook() }
        // The default is to send, so the app may intend it.
        if case .consentAssumed = diagnostic { return debug([], code: cause.name, cause.description) }
        report(cause, of: diagnostic.incidentLane)
    }
}
