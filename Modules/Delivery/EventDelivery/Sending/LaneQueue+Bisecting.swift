import EventBuffer
import EventOutbox

/// The search for the invalid event of a refused batch, and for the greatest body that the receiver takes.
extension LaneQueue {
    mutating func refuse(
        _ lease: Lease,
        reason: String,
        _ suspicion: StoredBatch.Suspicion,
        _ outcome: RequestOutcome,
        _ context: LaneContext,
        using random: inout some RandomNumberGenerator,
        change: inout LaneChange
    ) {
        if lease.batch.events.count > 1 {
            return bisect(lease, suspicion, context, change: &change)
        }
        quarantineOnlyEvent(lease, reason: reason, outcome, context, using: &random, change: &change)
    }

    /// Splits a batch in the middle.
    private mutating func bisect(
        _ lease: Lease,
        _ suspicion: StoredBatch.Suspicion,
        _ context: LaneContext,
        change: inout LaneChange
    ) {
        retryState.answered()
        let middle = lease.batch.events.count / 2
        split(lease.stored, segments: lease.segments, at: middle, suspicion, context, change: &change)
    }

    /// Quarantines the only event of a batch.
    ///
    /// If too many events were refused in a row, keeps it and pauses the lane instead.
    private mutating func quarantineOnlyEvent(
        _ lease: Lease,
        reason: String,
        _ outcome: RequestOutcome,
        _ context: LaneContext,
        using random: inout some RandomNumberGenerator,
        change: inout LaneChange
    ) {
        guard streaks.refusals < LaneQueue.maximumRefusals else {
            requeue(lease, suspicion: lease.stored.suspicion, change: &change)
            return pause(.protocolMismatch, context, using: &random, change: &change)
        }
        close(lease, change: &change)
        quarantine(lease.batch.events[0], lease: lease, reason: reason, outcome, context, change: &change)
        streaks.refusals += 1
        if streaks.refusals >= LaneQueue.maximumRefusals {
            pause(.protocolMismatch, context, using: &random, change: &change)
        } else {
            retryState.answered()
        }
    }

    /// Handles a batch that was refused without a stated reason.
    ///
    /// The batch is bisected once, to find out whether an event or the receiver is at fault.
    /// If the second half is refused like the first, the lane pauses. If the receiver accepts one half, the other half
    /// is searched like a batch that was refused for a stated reason.
    mutating func suspect(
        _ lease: Lease,
        reason: String,
        _ outcome: RequestOutcome,
        _ context: LaneContext,
        using random: inout some RandomNumberGenerator,
        change: inout LaneChange
    ) {
        switch lease.stored.suspicion {
        case .none where lease.batch.events.count > 1:
            bisect(lease, .half, context, change: &change)
        case .proven:
            refuse(lease, reason: reason, .proven, outcome, context, using: &random, change: &change)
        case .half where !lease.isLastHalf:
            requeue(lease, suspicion: .deferred, change: &change)
            retryState.answered()
        case .none, .half, .deferred:
            requeue(lease, suspicion: .deferred, change: &change)
            pause(.protocolMismatch, context, using: &random, change: &change)
        }
    }

    /// If one half of a suspect batch was delivered, marks the other half as containing the invalid event.
    mutating func condemnSibling(of lease: Lease, change: inout LaneChange) {
        guard lease.stored.suspicion == .half || lease.stored.suspicion == .deferred else { return }
        for position in batches.indices
        where batches[position].suspicion == .deferred || batches[position].suspicion == .half {
            batches[position].suspicion = .proven
            change.outbox.savedBatches.append(batches[position])
        }
    }

    mutating func shrink(
        _ lease: Lease,
        _ outcome: RequestOutcome,
        _ context: LaneContext,
        using random: inout some RandomNumberGenerator,
        change: inout LaneChange
    ) {
        guard lease.batch.events.count > 1 else {
            return quarantineOnlyEvent(lease, reason: "too large", outcome, context, using: &random, change: &change)
        }
        retryState.answered()
        let learned = stored.learnedBodyBytes
        stored.learnedBodyBytes = max(1, min(learned > 0 ? learned : .max, outcome.bodyBytes / 2))
        streaks.successesAtLimit = 0
        let middle = LaneQueue.middle(of: lease.batch.events)
        split(lease.stored, segments: lease.segments, at: middle, .none, context, change: &change)
    }

    /// Raises the remembered body limit by a sixteenth after four delivered batches that were larger than half of it.
    mutating func raiseLimit(bodyBytes: Int) {
        let learned = stored.learnedBodyBytes
        guard learned > 0, bodyBytes > learned / 2, let limits = destination?.limits else { return }
        streaks.successesAtLimit += 1
        guard streaks.successesAtLimit >= 4 else { return }
        streaks.successesAtLimit = 0
        let (raised, overflow) = learned.addingReportingOverflow(max(1, learned / 16))
        stored.learnedBodyBytes = overflow || raised >= limits.bodyBytes ? 0 : raised
    }
}
