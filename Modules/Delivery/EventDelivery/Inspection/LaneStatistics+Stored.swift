import CoreTracker
package import EventDeliveryAPI
package import EventOutbox

extension LaneStatistics {
    /// Creates the statistics of a lane from its outbox only.
    ///
    /// - Parameters:
    ///   - stored: The lane's row.
    ///   - oldest: The time at which the lane's oldest event was stored.
    ///   - consent: The decision about the lane's purpose.
    ///   - hasDestination: Whether the lane has a destination.
    ///   - storageFailure: The error that prevents storing, if any.
    ///   - isInUse: Whether an engine has the outbox open.
    ///   - now: The current time.
    package init(
        _ stored: StoredLane,
        oldest: StoredMoment?,
        consent: Consent,
        hasDestination: Bool,
        storageFailure: OutboxError?,
        isInUse: Bool,
        now: StoredMoment
    ) {
        let retryState = RetryState(stored.retryState, at: now)
        self.init(
            id: stored.id,
            ledger: stored.ledger,
            oldestQueuedAge: consent == .unknown ? nil : oldest?.age(at: now),
            lastSuccess: stored.receiver.lastSuccess,
            purpose: stored.purpose,
            status: LaneStatus(
                hasDestination: hasDestination,
                consent: consent,
                pause: retryState.pause.map {
                    LanePause(reason: $0, since: retryState.pausedSince, isOfEarlierRun: !isInUse)
                },
                eventsAwaitingConsent: consent == .unknown ? stored.counts.total : 0
            ),
            nextAttempt: retryState.reason.map { _ in max(.zero, now.monotonic.duration(to: retryState.notBefore)) },
            lastFailure: stored.receiver.lastFailure,
            storageFailure: storageFailure,
            now: now.wall,
            surroundings: LaneSurroundings(phase: isInUse ? .open : .closed)
        )
    }
}
