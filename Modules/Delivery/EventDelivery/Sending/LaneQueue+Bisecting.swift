import EventOutbox
import EventTracking

/// The search for the invalid event of a refused batch, and for the greatest body accepted by the receiver.
extension LaneQueue {
    /// Bisects a refused batch, or quarantines its only event.
    mutating func refuse(
        _ lease: Lease,
        reason: String,
        _ outcome: RequestOutcome,
        _ context: LaneContext,
        change: inout LaneChange
    ) {
        guard lease.batch.events.count > 1 else {
            return quarantineOnlyEvent(lease, reason: reason, outcome, context, change: &change)
        }
        if outcome.isCurrent { retryState.answered() }
        let middle = lease.batch.events.count / 2
        split(lease.stored, segments: lease.segments, at: middle, context, change: &change)
    }

    /// Quarantines the only event of a batch.
    ///
    /// If too many events were refused in a row, keeps it and pauses the lane instead.
    private mutating func quarantineOnlyEvent(
        _ lease: Lease,
        reason: String,
        _ outcome: RequestOutcome,
        _ context: LaneContext,
        change: inout LaneChange
    ) {
        guard streaks.refusals < LaneQueue.maximumRefusals else {
            requeue(lease)
            return pause(.protocolMismatch, context, change: &change)
        }
        close(lease.stored, segments: lease.segments, change: &change)
        quarantine(lease.refused(reason), outcome.attempt, context, change: &change)
        streaks.refusals += 1
        if streaks.refusals >= LaneQueue.maximumRefusals {
            pause(.protocolMismatch, context, change: &change)
        } else if outcome.isCurrent {
            retryState.answered()
        }
    }

    /// Handles a batch refused without a stated reason, so an event or the receiver may be at fault.
    ///
    /// First, the refusal is a temporary fault. If the batch is refused again and again, it is bisected like a batch
    /// refused for a reason. Faults of the network do not count. If an event is refused alone, it is set aside, and the
    /// lane tries the next one. If the receiver takes that event, the events set aside are refused. If it refuses too
    /// many, it is at fault: the lane pauses, and these events are the next ones again.
    mutating func suspect(
        _ lease: Lease,
        reason: String,
        _ outcome: RequestOutcome,
        _ context: LaneContext,
        change: inout LaneChange
    ) {
        let isSearched = !aside.isEmpty || lease.stored.refusals + 1 >= LaneQueue.unexplainedRefusals
        let isAlone = lease.batch.events.count == 1
        // An event can only be compared with another one.
        let isRetried = !isSearched || isAlone && stored.counts.total <= aside.count + 1
        stored.receiver.lastFailure = outcome.failure(
            isRetried ? .retry : .refused,
            code: reason,
            at: context.now.wall
        )
        if !isRetried, !isAlone {
            return refuse(lease, reason: reason, outcome, context, change: &change)
        }
        requeue(lease, isRefused: true)
        if isRetried { return fail(retryAfter: outcome.attempt.retryAfter, outcome, context, change: &change) }
        aside.append(Aside(lease: lease, reason: reason, attempt: outcome.attempt.withoutDetails))
        streaks.unexplained += 1
        if streaks.unexplained >= LaneQueue.maximumUnexplained {
            pause(.protocolMismatch, context, change: &change)
        } else if outcome.isCurrent {
            retryState.answered()
        }
    }

    /// Quarantines the events set aside, because the receiver has taken another event.
    mutating func refuseAside(_ context: LaneContext, change: inout LaneChange) {
        let refused = aside
        aside = []
        for entry in refused {
            close(entry.lease.stored, segments: entry.lease.segments, change: &change)
            quarantine(entry.lease.refused(entry.reason), entry.attempt, context, change: &change)
        }
    }

    /// Halves a batch that is too large, and remembers the limit.
    ///
    /// If the receiver asks for a wait, the limit may be temporary (RFC 9110 §15.5.14), and the halves wait.
    mutating func shrink(
        _ lease: Lease,
        _ outcome: RequestOutcome,
        _ context: LaneContext,
        change: inout LaneChange
    ) {
        guard lease.batch.events.count > 1 else {
            return quarantineOnlyEvent(lease, reason: "too large", outcome, context, change: &change)
        }
        if outcome.isCurrent { retryState.answered() }
        let limit = stored.receiver.maximumBodyBytes
        stored.receiver.maximumBodyBytes = max(1, min(limit > 0 ? limit : .max, outcome.bodyBytes / 2))
        streaks.successesAtLimit = 0
        let middle = LaneQueue.middle(of: lease.batch.events)
        split(lease.stored, segments: lease.segments, at: middle, context, change: &change)
        guard let wait = outcome.attempt.retryAfter else { return }
        fail(retryAfter: wait, outcome, context, change: &change)
    }

    /// Raises the remembered body limit after an acknowledged batch without room for another event.
    ///
    /// The steps grow. If the receiver's limit is permanent, about one request in forty exceeds it, or one in 25 if six
    /// are in flight. Otherwise the limit is forgotten after at most about two hundred requests.
    mutating func raiseLimit(_ lease: LeaseRecord, bodyBytes: Int) {
        guard stored.receiver.maximumBodyBytes > 0, let destination, let limits else { return }
        let next = lease.bytes / max(1, lease.events)
        guard limits.framingBytes + lease.bytes + next > limits.bodyBytes else { return }
        streaks.successesAtLimit += 1
        let limit = max(stored.receiver.maximumBodyBytes, bodyBytes)
        let raised = limit + max(1, limit.saturatingMultiply(16 + streaks.successesAtLimit) / 2_048)
        stored.receiver.maximumBodyBytes = raised >= destination.limits.bodyBytes ? 0 : raised
    }
}

extension Lease {
    /// Returns the events of the batch, each the only one of its segment, as refused for a reason.
    fileprivate func refused(_ reason: String) -> [LaneQueue.RefusedEvent] {
        zip(batch.events, segments).map { ($0, $1, reason) }
    }
}
