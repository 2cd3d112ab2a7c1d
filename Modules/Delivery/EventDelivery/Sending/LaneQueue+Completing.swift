import CoreTracker
import EventOutbox
import EventTracking

/// The effect of a request's result on the lane.
extension LaneQueue {
    /// The number of single events refused in a row, without an acknowledgement, before the lane pauses.
    ///
    /// A receiver that refuses every event is at fault, and the remaining events must not go to quarantine.
    static let maximumRefusals = 32
    /// The number of refusals of a batch without a reason, before its events are searched.
    static let unexplainedRefusals = 5
    /// The number of single events refused in a row without a reason, before the lane pauses.
    static let maximumUnexplained = 8
    /// The number of interrupted acknowledgements in a row after which the batch is sent again.
    static let maximumInterruptions = 2

    /// Completes a lease: deletes and counts delivered events, keeps or quarantines failed ones, and updates the retry
    /// state.
    ///
    /// - Returns: Whether the lane's other requests must be cancelled because they would fail too.
    mutating func complete(
        _ lease: Lease,
        _ outcome: RequestOutcome,
        _ context: LaneContext,
        change: inout LaneChange
    ) -> Bool {
        let record = leases.removeValue(forKey: lease.stored.id)
        var outcome = outcome
        outcome.isCurrent = record?.faults == streaks.faults
        let result = judge(outcome)
        requests.record(
            outcome.duration,
            hasFailed: !result.isAcknowledgement,
            isWithoutDetails: result.isAcknowledgement && outcome.extent != .whole
        )
        guard let record else { return false }
        let faultsBefore = streaks.faults
        guard batches.contains(where: { $0.id == lease.stored.id }) else {
            // The batch is gone, but the wait requested by the receiver applies to the next one.
            if case .retry(let wait?) = result {
                fail(retryAfter: wait, outcome, context, change: &change)
                storeRetryState(at: context.now)
                change.outbox.save(stored)
            }
            return false
        }
        if result.isAcknowledgement {
            raiseLimit(record, bodyBytes: outcome.bodyBytes)
            stored.receiver.lastFailure = outcome.attempt.clockFailure(at: context.now.wall)
        }
        switch result {
        case .delivered:
            acknowledge(lease, outcome, context, change: &change)
            succeed(outcome, change: &change)
        case .partial(let results):
            if results.isEmpty { stored.receiver.lastFailure = outcome.failure(.warned, at: context.now.wall) }
            let tally = completePartially(lease, results, outcome, context, change: &change)
            updateRetryState(after: tally, outcome, context, change: &change)
        case .retry(let wait):
            stored.receiver.lastFailure = outcome.failure(.retry, at: context.now.wall)
            requeue(lease)
            fail(retryAfter: wait, outcome, context, change: &change)
        case .paused(let reason):
            requeue(lease)
            let (isRetried, wait) = (isRetried(reason, outcome), outcome.attempt.retryAfter)
            let kind: LaneFailure.Kind = isRetried ? .retry : .paused
            stored.receiver.lastFailure = outcome.failure(kind, code: reason.rawValue, at: context.now.wall)
            if isRetried {
                fail(retryAfter: wait, outcome, context, change: &change)
            } else {
                pause(reason, retryAfter: wait, context, change: &change)
            }
        case .refused(let reason):
            stored.receiver.lastFailure = outcome.failure(.refused, code: reason, at: context.now.wall)
            refuse(lease, reason: reason, outcome, context, change: &change)
        case .suspect(let reason):
            suspect(lease, reason: reason, outcome, context, change: &change)
        case .tooLarge:
            stored.receiver.lastFailure = outcome.failure(.tooLarge, at: context.now.wall)
            shrink(lease, outcome, context, change: &change)
        }
        storeRetryState(at: context.now)
        correctLedger(change: &change)
        change.outbox.save(stored)
        if sendsAtOnce, batches.allSatisfy({ leases[$0.id] != nil || isAside($0) }) {
            // Form the next batch in the same transaction. If that fails, leasing tries again and reports the error.
            try? planBatch(context, change: &change)
        }
        return retryState.pause != nil && streaks.faults != faultsBefore
    }

    /// Returns the result of a request for its batch.
    ///
    /// If the body of an acknowledgement was interrupted, the receiver may have failed while it stored the events, so
    /// the batch is sent again. A receiver that never completes its responses has stored them: after
    /// ``maximumInterruptions`` such responses in a row, each one is an acknowledgement without details.
    private mutating func judge(_ outcome: RequestOutcome) -> BatchResult {
        guard let extent = outcome.extent else { return outcome.result }
        guard extent == .interrupted, outcome.result.isAcknowledgement else {
            streaks.interruptions = 0
            return outcome.result
        }
        if streaks.interruptions >= LaneQueue.maximumInterruptions { return outcome.result }
        if outcome.isCurrent { streaks.interruptions += 1 }
        return .retry(after: nil)
    }

    /// Whether a response that pauses the lane is a temporary fault first, with two further attempts.
    ///
    /// A gateway that starts before its routes responds like a wrong address, but has acknowledged a batch before.
    /// Concurrent requests that fail together count as one attempt.
    private func isRetried(_ reason: PauseReason, _ outcome: RequestOutcome) -> Bool {
        guard let status = outcome.attempt.status, [404, 405, 410, 421].contains(status),
            retryState.pause == nil, stored.receiver.lastSuccess != nil
        else { return false }
        return !outcome.isCurrent || retryState.failures < 2 || stored.receiver.lastFailure?.code != reason.rawValue
    }

    /// Restores the retry state stored by an earlier run.
    ///
    /// A wait ends if the destination's configuration has changed since. The lane then tries at once, and the failure of
    /// the earlier configuration is forgotten.
    mutating func restoreRetryState(at now: StoredMoment) {
        retryState = RetryState(stored.retryState, at: now)
        guard let destination, let failed = stored.retryState.configuration else { return }
        guard destination.configurationChecksum != failed else { return }
        (retryState, stored.receiver.lastFailure) = (RetryState(), nil)
    }

    /// Stores the retry state.
    ///
    /// A wait is stored with the checksum of its configuration.
    mutating func storeRetryState(at now: StoredMoment) {
        let known = stored.retryState.configuration
        stored.retryState = retryState.stored(at: now)
        guard retryState.reason != nil else { return }
        stored.retryState.configuration = destination?.configurationChecksum ?? known
    }

    /// Skips the waits of events for a flush: that of the schedule, and a back-off at most once in 30 s.
    ///
    /// - Parameters:
    ///   - number: The sequence number below which events are due.
    ///   - now: The current time.
    /// - Returns: Whether a wait may have ended.
    mutating func skipWait(below number: Int64, at now: StoredMoment) -> Bool {
        schedule.becomeDue(below: number)
        guard retryState.reason != nil else { return canWait }
        retryState.skipBackoff(at: now.monotonic)
        storeRetryState(at: now)
        return true
    }

    /// Ends a pause because the app reports that its cause is fixed.
    mutating func resume(at now: StoredMoment) {
        retryState.resume()
        (streaks.refusals, streaks.unexplained) = (0, 0)
        storeRetryState(at: now)
    }
}

/// The changes of rows.
extension LaneQueue {
    private mutating func acknowledge(
        _ lease: Lease,
        _ outcome: RequestOutcome,
        _ context: LaneContext,
        change: inout LaneChange
    ) {
        close(lease.stored, segments: lease.segments, change: &change)
        stored.ledger.delivered += lease.batch.events.count
        for (rule, count) in destination?.adjustments(in: lease.batch) ?? [:] {
            stored.ledger.adjust(count, rule)
        }
        stored.receiver.lastSuccess = context.now.wall
        change.settled.append(SettledEvents(.delivered, lane: id, lease.batch.events.map(\.id)))
        refuseAside(context, change: &change)
    }

    /// Removes a batch and its segments.
    mutating func close(_ batch: StoredBatch, segments: [Segment], change: inout LaneChange) {
        for place in batch.segments { change.outbox.remove(place) }
        batches.removeAll { $0.id == batch.id }
        aside.removeAll { $0.lease.stored.id == batch.id }
        for segment in segments { account(segment.summary, sign: -1) }
        change.outbox.save(stored)
    }

    /// Counts an attempt of a batch, which stays open.
    mutating func requeue(_ lease: Lease, isRefused: Bool = false) {
        guard let position = batches.firstIndex(where: { $0.id == lease.stored.id }) else { return }
        batches[position].attempts += 1
        if isRefused { batches[position].refusals += 1 }
    }

    private typealias Tally = (arrived: Int, retried: Int, refused: Int)

    private mutating func completePartially(
        _ lease: Lease,
        _ results: [Int: BatchResult.EventResult],
        _ outcome: RequestOutcome,
        _ context: LaneContext,
        change: inout LaneChange
    ) -> Tally {
        var tally: Tally = (0, 0, 0)
        // If a receiver has refused `maximumRefusals` events in a row without an acknowledgement, it is at fault, so
        // further events are retried instead of quarantined. Events that it has dropped must not be sent again.
        let arrives = lease.batch.events.indices.contains { results[$0] == nil }
        var (arrived, refused, lost) = ([EventID](), [RefusedEvent](), [(id: EventID, reason: String)]())
        close(lease.stored, segments: lease.segments, change: &change)
        var retried = StoredBatch(id: context.newID(), segments: [])
        var position = 0
        for segment in lease.segments {
            var kept: [SegmentRecord] = []
            for event in lease.batch.events[position..<(position + segment.count)] {
                var result = results[position]
                position += 1
                if !arrives, case .refused? = result, streaks.refusals + tally.refused >= LaneQueue.maximumRefusals {
                    result = .retry
                }
                switch result {
                case nil: tally.arrived += 1
                case .retry: tally.retried += 1
                case .refused, .dropped: tally.refused += 1
                }
                switch result {
                case nil: arrived.append(event.id)
                case .retry: kept.append(SegmentRecord(id: event.id, fragment: event.fragment))
                case .refused(let reason): refused.append((event, segment, reason))
                case .dropped(let reason): lost.append((event.id, reason))
                }
            }
            guard !kept.isEmpty else { continue }
            let rest = segment.replacing(records: kept)
            change.outbox.save(rest)
            account(rest.summary, sign: 1)
            retried.segments.append(rest.place)
        }
        quarantine(refused, outcome.attempt, context, change: &change)
        recordLost(lost, outcome, context, change: &change)
        if tally.arrived > 0 {
            change.settled.append(SettledEvents(.delivered, lane: id, arrived))
            stored.ledger.delivered += tally.arrived
            stored.receiver.lastSuccess = context.now.wall
            refuseAside(context, change: &change)
        }
        if !retried.segments.isEmpty {
            batches.insert(retried, at: batches.firstIndex { retried.start < $0.start } ?? batches.count)
        }
        return tally
    }

    /// Counts the events lost by the receiver, by its reason.
    private mutating func recordLost(
        _ lost: [(id: EventID, reason: String)],
        _ outcome: RequestOutcome,
        _ context: LaneContext,
        change: inout LaneChange
    ) {
        let counts = lost.counts(by: \.reason)
        guard let reason = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key else { return }
        stored.receiver.lastFailure = outcome.failure(.dropped, code: reason, at: context.now.wall)
        stored.ledger.drop(lost.count, .droppedByReceiver)
        change.lose(lost.count, .droppedByReceiver, on: id, ids: lost.map(\.id))
    }

    typealias RefusedEvent = (event: OutgoingBatch.Event, segment: Segment, reason: String)

    /// Quarantines events refused by one response, which share its text.
    mutating func quarantine(
        _ refused: [RefusedEvent],
        _ attempt: Attempt,
        _ context: LaneContext,
        change: inout LaneChange
    ) {
        // A log gets only the status. The other texts may quote the receiver, which may quote the event.
        let (cause, response) = (attempt.cause, refused.isEmpty ? "" : attempt.responseText)
        for (event, segment, reason) in refused {
            let hasStatus = segment.key != OutgoingBatch.sdkKey
            let kept = QuarantinedEvent(
                id: event.id,
                lane: id,
                reason: ResponseText.reason(hasStatus && reason != cause ? "\(cause), \(reason)" : reason),
                response: response,
                time: context.now.wall,
                fragment: Array(event.fragment),
                key: segment.key,
                user: segment.user,
                decision: segment.decision
            )
            quarantine(kept, cause: cause, change: &change)
        }
    }

    /// Quarantines and counts an event.
    ///
    /// `cause` is the text for the log.
    mutating func quarantine(_ event: QuarantinedEvent, cause: String, change: inout LaneChange) {
        change.outbox.save(event, lane: stored.number)
        stored.ledger.quarantined += 1
        change.outbox.save(stored)
        change.settled.append(SettledEvents(.quarantined(reason: event.reason), lane: id, [event.id]))
        change.diagnostics.append(.quarantined(lane: id, id: event.id, reason: cause))
    }
}

/// The changes of the retry state.
extension LaneQueue {
    /// Delays events that the receiver could not take.
    ///
    /// Events refused only because of others in their batch are sent again at once, because the invalid ones are known,
    /// unless the receiver asks for a wait.
    private mutating func updateRetryState(
        after tally: Tally,
        _ outcome: RequestOutcome,
        _ context: LaneContext,
        change: inout LaneChange
    ) {
        if tally.arrived > 0 { succeed(outcome, change: &change) }
        let (isRefused, wait) = (tally.arrived == 0 && tally.refused > 0, outcome.attempt.retryAfter)
        if isRefused {
            streaks.refusals += tally.refused
            if streaks.refusals >= LaneQueue.maximumRefusals {
                return pause(.protocolMismatch, retryAfter: wait, context, change: &change)
            }
            if outcome.isCurrent { retryState.answered() }
        }
        if tally.retried > 0, !isRefused || wait != nil {
            fail(retryAfter: wait, outcome, context, change: &change)
        }
    }

    /// Records an acknowledgement.
    ///
    /// If the request started before the last fault, the retry state does not change.
    private mutating func succeed(_ outcome: RequestOutcome, change: inout LaneChange) {
        (streaks.refusals, streaks.unexplained) = (0, 0)
        guard outcome.isCurrent else { return }
        let hadFailed = retryState.failures > 0
        retryState.succeeded()
        if hadFailed { change.diagnostics.append(.resumed(lane: id)) }
    }

    /// Records a temporary fault.
    ///
    /// Concurrent requests that fail together count as one fault.
    mutating func fail(
        retryAfter: Duration?,
        _ outcome: RequestOutcome,
        _ context: LaneContext,
        change: inout LaneChange
    ) {
        // A later acknowledgement no longer shows whether the receiver was at fault when it refused these events.
        aside = []
        let now = context.now.monotonic
        var random = context.random
        guard outcome.isCurrent else { return retryState.ask(for: retryAfter, at: now, using: &random) }
        streaks.faults += 1
        retryState.failed(at: now, retryAfter: retryAfter, using: &random)
        change.diagnostics.append(
            .retrying(lane: id, cause: outcome.attempt.cause, wait: now.duration(to: retryState.notBefore))
        )
    }

    mutating func pause(
        _ reason: PauseReason,
        retryAfter: Duration? = nil,
        _ context: LaneContext,
        change: inout LaneChange
    ) {
        aside = []
        // Concurrent requests that fail for the same reason cause one pause.
        if retryState.pause == reason, !retryState.isOpen(at: context.now.monotonic) { return }
        streaks.faults += 1
        var random = context.random
        let (now, wall) = (context.now.monotonic, context.now.wall)
        retryState.paused(reason, at: now, wall: wall, retryAfter: retryAfter, using: &random)
        change.diagnostics.append(.paused(lane: id, reason: reason))
    }
}
