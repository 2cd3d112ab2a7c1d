import CoreTracker
import Locks

/// The current user and session, which are read at each call of `track` and change rarely.
///
/// Each change increments ``version``. A shard of the event buffer keeps a copy of the identity, and reads it again
/// only if the version has changed. Calls therefore share no lock.
///
/// A session ends after a timeout without an event, and at its maximum duration. The next event then starts another
/// one. If the app reports its visits, there is no session before the first one, unless a stored session continues.
/// While the app is in the background, events neither start nor extend a session: they belong to the current one until
/// it ends, and then to none.
package final class CurrentIdentity: Sendable {
    private struct State: Sendable {
        var identity: Identity
        var visits = Visits()
        /// The start of the session, in nanoseconds of the monotonic clock.
        var start: Int64
        /// The number of the last session.
        var lastNumber: Int64
        /// The maximum duration of a session in nanoseconds.
        var maximum = Int64.max
        /// Whether the process has neither started another session nor read the stored one.
        var isFirst = true
        /// Whether only the app starts sessions.
        ///
        /// This is so without a timeout.
        var isManual = false
        /// The session of the events that were tracked before it was known: the continued one, or the first visit's.
        var begun: StoredSession?
    }

    /// The effect of events on the session.
    private enum Phase: UInt8 {
        /// They start and extend sessions: the app is in the foreground, or it does not report its life cycle.
        case foreground
        /// They belong to the session, and do not extend it.
        case background
        /// They belong to no session.
        case none
    }

    private let state: Mutex<State>
    /// The id of the process's first session, unless it continues a stored one.
    private let first: String
    /// The start of the process, in nanoseconds of the monotonic clock.
    private let begin: Int64
    /// The value of ``lastActivity`` until there is any.
    private let idle: Int64
    /// The number of changes of the identity.
    private let changes = Atomic<Int>(0)
    private let userChanges = Atomic<Int>(0)
    /// The time of the last event or visit in nanoseconds of the monotonic clock, also of an earlier process.
    private let lastActivity: Atomic<Int64>
    /// The number of nanoseconds without an event after which the session ends.
    private let timeout = Atomic<Int64>(.max)
    /// The end of the session's maximum duration.
    private let end = Atomic<Int64>(.max)
    private let phase = Atomic(Phase.foreground.rawValue)

    init(_ identity: Identity, now: MonotonicInstant) {
        first = identity.sessionID
        begin = now.nanoseconds
        idle = begin.subtractingReportingOverflow(1).partialValue
        lastActivity = Atomic(idle)
        state = Mutex(State(identity: identity, start: begin, lastNumber: identity.sessionNumber))
    }

    /// The identity of a new event.
    package var value: Identity { state.withLock { $0.identity } }

    /// The number of changes of the identity.
    ///
    /// Reading it takes no lock.
    var version: Int { changes.load(ordering: .acquiring) }

    /// The identity for new events, with its version.
    var frozen: (identity: FrozenIdentity, version: Int) {
        state.withLock { (FrozenIdentity($0.identity), changes.load(ordering: .relaxed)) }
    }

    /// The number of changes of the user or the installation.
    package var userVersion: Int { userChanges.load(ordering: .acquiring) }

    /// Changes the identity of all events tracked from now on, on every thread.
    package func change(_ body: (inout Identity) -> Void) {
        state.withLock {
            apply(body, &$0)
            changes.wrappingAdd(1, ordering: .releasing)
        }
    }

    private func apply(_ body: (inout Identity) -> Void, _ state: inout State) {
        let (user, device) = (state.identity.userHash, state.identity.deviceID)
        body(&state.identity)
        let isOtherDevice = !device.isEmpty && state.identity.deviceID != device
        if state.identity.userHash != user || isOtherDevice { userChanges.wrappingAdd(1, ordering: .releasing) }
    }

    // MARK: Sessions

    /// Sets the rules of sessions.
    func use(_ rules: SessionRules) { state.withLock { set(rules, &$0) } }

    /// Sets the rules of sessions, and continues the stored session if it has not ended when the process began.
    ///
    /// It does so once, and not if another session has started in the meantime.
    ///
    /// - Parameters:
    ///   - stored: The stored session, or `nil` if there is none.
    ///   - rules: The timeout and the maximum duration.
    ///   - now: The current time.
    ///   - wall: The same time of the wall clock.
    package func resume(
        _ stored: StoredSession?,
        by rules: SessionRules,
        at now: MonotonicInstant,
        _ wall: Timestamp
    ) {
        state.withLock { state in
            set(rules, &state)
            if let stored { resume(stored, now.nanoseconds, wall, &state) }
            state.isFirst = false
        }
    }

    /// Starts a session now.
    ///
    /// - Parameters:
    ///   - id: The session's id, or `nil` to create one.
    ///   - now: The current time.
    ///   - time: The start of the session.
    ///   - ids: The source of ids.
    ///   - body: Changes other parts of the identity.
    func startSession(
        id: String? = nil,
        at now: MonotonicInstant,
        time: Timestamp,
        ids: EventIDGenerator,
        _ body: (inout Identity) -> Void = { _ in }
    ) {
        state.withLock { state in
            apply(body, &state)
            start(id, now.nanoseconds, time, ids, &state)
        }
    }

    /// Records a tracked event, and starts a session if the last one has ended.
    func noteTrack(at now: MonotonicInstant, time: Timestamp, ids: EventIDGenerator) {
        let found = phase.load(ordering: .acquiring)
        guard found != Phase.none.rawValue else { return }
        guard isOver(at: now.nanoseconds) else {
            if found == Phase.foreground.rawValue { lastActivity.max(now.nanoseconds, ordering: .relaxed) }
            return
        }
        state.withLock { state in
            // Another thread may have started it in the meantime.
            guard isOver(at: now.nanoseconds), phase.load(ordering: .relaxed) != Phase.none.rawValue else { return }
            if phase.load(ordering: .relaxed) == Phase.background.rawValue {
                endSession(&state)
            } else {
                start(nil, now.nanoseconds, time, ids, &state)
            }
        }
    }

    /// Returns the session to store, or `nil` if none is to be stored.
    ///
    /// A change of the last activity alone is stored rarely.
    ///
    /// - Parameters:
    ///   - stored: The currently stored session.
    ///   - now: The current time.
    ///   - wall: The same time of the wall clock.
    ///   - isExact: Whether to store the time of the last activity with a precision of one second.
    package func storable(
        after stored: StoredSession?,
        at now: MonotonicInstant,
        _ wall: Timestamp,
        isExact: Bool
    ) -> StoredSession? {
        state.withLock { state in
            let activity = lastActivity.load(ordering: .relaxed)
            guard !state.isManual, phase.load(ordering: .relaxed) != Phase.none.rawValue else { return nil }
            guard activity != idle else { return stored }
            let pause = now.nanoseconds.saturatingSubtract(activity)
            var session = StoredSession(state.identity, last: wall.advanced(byNanoseconds: -max(0, pause)))
            let precision = isExact ? 1_000_000_000 : timeout.load(ordering: .relaxed) / StoredSession.precision
            if let stored, stored.isSame(as: session),
                stored.last.nanoseconds(to: session.last).magnitude < UInt64(max(0, precision))
            {
                session.last = stored.last
            }
            return session
        }
    }

    /// Returns an event's identity, completed if the installation or the session was unknown when it was tracked.
    ///
    /// - Parameters:
    ///   - identity: The identity at the time of the event.
    ///   - deviceID: The installation's id.
    package func completed(_ identity: Identity, deviceID: String) -> Identity {
        guard identity.isIncomplete else { return identity }
        var identity = identity
        if !identity.isDeviceOfScope { identity.deviceID = deviceID }
        if identity.sessionNumber == 0 || identity.sessionID == first, let begun = state.withLock({ $0.begun }) {
            identity.setSession(id: begun.id, at: begun.start, number: begun.number)
        }
        return identity
    }

    /// Returns the id of the process's first session, if a session with another id has taken its place, or the id.
    package func firstID(ofSession id: String) -> String {
        state.withLock { $0.begun?.id == id || (id.isEmpty && $0.identity.sessionNumber == 0) } ? first : id
    }

    // MARK: Visits

    /// Records that the app reports its visits, so events before the first visit belong to no session.
    ///
    /// It changes nothing after the first visit, or if the app has started a session. A session that has events
    /// continues, as in the background.
    func awaitVisit() {
        state.withLock { state in
            guard phase.load(ordering: .relaxed) == Phase.foreground.rawValue, !state.visits.hasBegun,
                state.identity.sessionID == first
            else { return }
            guard lastActivity.load(ordering: .relaxed) == idle else {
                return phase.store(Phase.background.rawValue, ordering: .releasing)
            }
            state.identity.setSession(id: "", at: state.identity.sessionStart, number: 0)
            changes.wrappingAdd(1, ordering: .releasing)
            phase.store(Phase.none.rawValue, ordering: .releasing)
        }
    }

    /// Records that the app is in the foreground, so events start and extend sessions.
    func enterForeground(at now: MonotonicInstant, time: Timestamp, ids: EventIDGenerator) {
        state.withLock { leaveBackground(now.nanoseconds, time, ids, &$0) }
    }

    /// Records the beginning of a visit, which starts or extends a session.
    ///
    /// It changes nothing during a visit.
    func beginVisit(at now: MonotonicInstant, time: Timestamp, ids: EventIDGenerator) {
        state.withLock { state in
            guard state.visits.begin(at: now) else { return }
            leaveBackground(now.nanoseconds, time, ids, &state)
            if isOver(at: now.nanoseconds) { start(nil, now.nanoseconds, time, ids, &state) }
            lastActivity.max(now.nanoseconds, ordering: .releasing)
        }
    }

    /// Records that the app is in the background.
    ///
    /// The end of a visit extends its session.
    func enterBackground(at now: MonotonicInstant) {
        state.withLock { state in
            if state.visits.end(at: now) { lastActivity.max(now.nanoseconds, ordering: .releasing) }
            guard phase.load(ordering: .relaxed) == Phase.foreground.rawValue else { return }
            phase.store(Phase.background.rawValue, ordering: .releasing)
        }
    }

    /// Runs a block on the visits, under the lock.
    func withVisits<Result: Sendable>(_ body: (inout Visits) -> Result) -> Result {
        state.withLock { body(&$0.visits) }
    }

    // MARK: Under the lock

    private func start(_ id: String?, _ now: Int64, _ time: Timestamp, _ ids: EventIDGenerator, _ state: inout State) {
        state.lastNumber = max(time.seconds, state.lastNumber.addingReportingOverflow(1).partialValue, 1)
        state.identity.setSession(id: id ?? ids.next(at: time).description, at: time, number: state.lastNumber)
        (state.start, state.isFirst) = (now, false)
        setEnd(state)
        changes.wrappingAdd(1, ordering: .releasing)
        // Stored last: a thread that sees this time also sees the new session.
        lastActivity.max(now, ordering: .releasing)
        useSessionInBackground()
    }

    private func resume(_ stored: StoredSession, _ now: Int64, _ wall: Timestamp, _ state: inout State) {
        state.lastNumber = max(state.lastNumber, stored.number)
        guard state.isFirst, !state.isManual else { return }
        // The wall clock may have been set back, so a negative pause counts by its magnitude, and a negative age as 0.
        let (sinceBegin, pause) = (now.saturatingSubtract(begin), stored.last.nanoseconds(to: wall))
        let age = max(0, stored.start.nanoseconds(to: wall))
        let longest = UInt64(max(0, timeout.load(ordering: .relaxed)))
        guard pause.saturatingSubtract(sinceBegin).magnitude <= longest,
            age.saturatingSubtract(sinceBegin) <= state.maximum
        else { return }
        state.identity.setSession(id: stored.id, at: stored.start, number: stored.number)
        (state.start, state.begun) = (now.saturatingSubtract(age), stored)
        setEnd(state)
        changes.wrappingAdd(1, ordering: .releasing)
        if lastActivity.load(ordering: .relaxed) == idle {
            lastActivity.store(now.saturatingSubtract(max(0, pause)), ordering: .releasing)
        }
        useSessionInBackground()
    }

    /// Ends the phase in which events belong to no session, after a session was set.
    private func useSessionInBackground() {
        guard phase.load(ordering: .relaxed) == Phase.none.rawValue else { return }
        phase.store(Phase.background.rawValue, ordering: .releasing)
    }

    private func leaveBackground(
        _ now: Int64,
        _ time: Timestamp,
        _ ids: EventIDGenerator,
        _ state: inout State
    ) {
        let found = phase.load(ordering: .relaxed)
        guard found != Phase.foreground.rawValue else { return }
        if found == Phase.none.rawValue {
            let isFirst = state.identity.sessionNumber == 0
            // The first visit before the opening may still continue the stored session.
            let mayContinue = state.isFirst
            start(isFirst ? first : nil, now, time, ids, &state)
            if isFirst { (state.begun, state.isFirst) = (StoredSession(state.identity, last: time), mayContinue) }
        }
        phase.store(Phase.foreground.rawValue, ordering: .releasing)
    }

    private func endSession(_ state: inout State) {
        state.identity.setSession(id: "", at: state.identity.sessionStart, number: state.identity.sessionNumber)
        changes.wrappingAdd(1, ordering: .releasing)
        phase.store(Phase.none.rawValue, ordering: .releasing)
    }

    private func set(_ rules: SessionRules, _ state: inout State) {
        (state.isManual, state.maximum) = (rules.timeout == nil, rules.maximum?.nanoseconds ?? .max)
        timeout.store(rules.timeout?.nanoseconds ?? .max, ordering: .relaxed)
        setEnd(state)
    }

    private func setEnd(_ state: State) {
        let (end, overflow) = state.start.addingReportingOverflow(state.maximum)
        self.end.store(state.isManual || overflow ? .max : end, ordering: .relaxed)
    }

    private func isOver(at now: Int64) -> Bool {
        // Converting to `Duration` costs more than the rest of this function, which runs at each call.
        let last = lastActivity.load(ordering: .acquiring)
        // Without any activity, the pause counts from the beginning of the process.
        let pause = now.subtractingReportingOverflow(last == idle ? begin : last)
        let isLate = !pause.overflow && pause.partialValue > timeout.load(ordering: .relaxed)
        return isLate || now > end.load(ordering: .relaxed)
    }
}
