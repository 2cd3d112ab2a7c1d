import CoreTracker
import EventTracking
import Locks

/// The profile updates of an engine: those that wait for the destinations, and the known ones.
///
/// An update is known from its acceptance by all lanes on, until one of its events is dropped or quarantined.
final class UpdateSender: Sendable {
    private struct State {
        var waiting = WaitingUpdates()
        var known = KnownUpdates()
    }

    /// The outcomes of the updates' events.
    fileprivate struct Outcomes {
        /// The hash of the user or the group of each event without an outcome.
        var pending: [EventID: Int] = [:]
        /// The users and groups with a lost event since the last update.
        var lost: Set<Int> = []
        /// Whether lost events may be those of any update.
        var isAnyLost = false
        /// Whether each event that ended while an update is buffered was lost, by its id, or `nil` at other times.
        var early: [EventID: Bool]?
    }

    /// The maximum number of events whose outcome is awaited.
    ///
    /// Beyond it, all updates are sent again.
    static let maximumPending = 8_192

    /// The buffer, which owns the sender.
    private unowned let buffer: EventBuffer
    /// The updates, under a lock that is held while an update is buffered.
    ///
    /// All lanes therefore get the updates in the same order. This lock is taken before any other one.
    private let state = Mutex(State())
    private let outcomes = Mutex(Outcomes())

    init(_ buffer: EventBuffer) {
        self.buffer = buffer
        buffer.served.set { [unowned self] in
            self.state.withLock { state in
                // Another process may have deleted accepted updates.
                state.known.forgetAll()
                self.bufferWaiting(&state)
            }
        }
    }

    /// Buffers an update on each lane whose destination supports it, or keeps it until the destinations are known.
    ///
    /// - Parameters:
    ///   - kind: The kind of the update.
    ///   - parameters: The parameters of its event.
    ///   - removed: The names of the removed traits.
    ///   - subject: The group, or the earlier id of an alias.
    ///   - user: The user whose profile is updated, or `nil` for the current user.
    func send(
        _ kind: ProfileUpdate,
        _ parameters: EventParameters,
        removing removed: [ParameterKey] = [],
        subject: String = "",
        of user: KnownUser? = nil
    ) {
        // The number is read first, so a decision or an erasure during this call covers the update.
        let (number, time) = (buffer.lastNumber, buffer.now)
        var identity = buffer.identityOfNextEvent(at: time).identity
        if let user { identity.setUser(user) }
        let update = Update(
            call: UpdateCall(kind, removing: removed, time: time, number: number, identity: FrozenIdentity(identity)),
            parameters: parameters,
            subject: subject,
            // The profile of a user whose id is not used must not be mistaken for another one.
            refusal: user == nil && TrackingScope.current?.hasLongID == true ? .idTooLong : nil
        )
        state.withLock { state in
            state.waiting.add(update)
            bufferWaiting(&state)
        }
    }

    /// Buffers the waiting updates, one after the other, if the destinations are known.
    private func bufferWaiting(_ state: inout State) {
        let served = buffer.withLanes { $0.isServed ? $0.lanes : nil }
        guard let served else { return }
        let (updates, excess) = state.waiting.takeAll()
        for (kind, count) in excess {
            for lane in served.indices where served[lane].updates.contains(kind) {
                for _ in 0..<count { buffer.refuse(lane: lane, .bufferFull) }
            }
        }
        for update in updates {
            let lanes = served.indices.filter { served[$0].updates.contains(update.call.kind) }
            if let reason = update.refusal {
                for lane in lanes { buffer.refuse(lane: lane, reason) }
                continue
            }
            forgetLost(&state.known)
            guard !lanes.isEmpty, !state.known.contains(update) else { continue }
            outcomes.withLock { outcomes in
                outcomes.early = [:]
                buffer.outcomes.add(self)
            }
            let results = lanes.map { lane in
                buffer.accept(
                    lane: lane,
                    id: served[lane].id,
                    consent: served[lane].consent,
                    name: update.call.kind.rawValue,
                    parameters: update.parameters,
                    defaults: [:],
                    options: TrackOptions(),
                    update: update.call
                )
            }
            state.known.record(update, isAccepted: results.allSatisfy { $0.reason == nil })
            outcomes.withLock { outcomes in
                for result in results where result.reason == nil { outcomes.begin(result.id, of: update.subjectHash) }
                outcomes.early = nil
            }
        }
    }

    private func forgetLost(_ known: inout KnownUpdates) {
        let (lost, isAnyLost) = outcomes.withLock { outcomes in
            defer { (outcomes.lost, outcomes.isAnyLost) = ([], false) }
            return (outcomes.lost, outcomes.isAnyLost)
        }
        if isAnyLost { known.forgetAll() }
        for subject in lost { known.forget(subject) }
    }
}

/// The outcomes of events, which end in the order in which they are published, and possibly before `accept` returns.
extension UpdateSender: OutcomeListener {
    func receive(_ published: [EventOutcome]) {
        outcomes.withLock { outcomes in
            for outcome in published { outcomes.end(outcome) }
            // Other events then have no listener.
            if outcomes.pending.isEmpty, outcomes.early == nil { buffer.outcomes.remove(self) }
        }
    }

    func finish() {}
}

extension UpdateSender.Outcomes {
    /// Begins to wait for the outcome of an event, unless it has ended already.
    fileprivate mutating func begin(_ id: EventID, of subject: Int) {
        if let isLost = early?[id] {
            if isLost { lost.insert(subject) }
            return
        }
        if pending.count >= UpdateSender.maximumPending { (pending, isAnyLost) = ([:], true) }
        pending[id] = subject
    }

    fileprivate mutating func end(_ outcome: EventOutcome) {
        let isLost: Bool
        switch outcome.kind {
        case .accepted, .stored, .sent: return
        case .delivered: isLost = false
        case .quarantined, .dropped: isLost = true
        }
        // A denial, an erasure and damage end events without reading them.
        guard let id = outcome.id else { return isAnyLost = isAnyLost || isLost }
        if let subject = pending.removeValue(forKey: id) {
            if isLost { lost.insert(subject) }
        } else {
            early?[id] = isLost
        }
    }
}

extension EventBuffer {
    /// The profile updates.
    var updates: UpdateSender { options.object { UpdateSender(self) } }
}
