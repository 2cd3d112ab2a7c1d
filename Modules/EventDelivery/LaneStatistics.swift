public import CoreTracker

/// How a lane is doing.
public struct LaneStatistics: Sendable, Hashable {
    /// The lane's name.
    public let id: LaneID
    /// Its ledger since its outbox was made.
    public let ledger: LaneLedger
    /// Its ledger since this engine was opened.
    public let ledgerSinceOpening: LaneLedger
    /// Events that an earlier run had left pending when this engine was opened.
    public let carriedOver: Int
    /// How long the oldest pending event has waited; `nil` when none is stored.
    public let oldestPendingAge: Duration?
    /// When the receiver last acknowledged a batch; `nil` when it never has.
    public let lastSuccess: Timestamp?
    /// Why the lane only probes; `nil` when it does not.
    public let pauseReason: PauseReason?
    /// What the user has said about the lane's purpose.
    public let consent: Consent
    /// Whether this run has a destination for the lane.
    public let isServed: Bool
    /// Events that wait for consent.
    public let heldEvents: Int
    /// How long it takes until the lane tries again; `nil` when it does not wait.
    public let nextAttempt: Duration?
    /// What went wrong last, also in an earlier run; `nil` once the receiver has acknowledged a batch since.
    public let lastFailure: LaneFailure?
    /// Why the storage takes nothing for now; `nil` when it does.
    public let storageFailure: OutboxError?

    init(
        id: LaneID,
        ledger: LaneLedger,
        opening: LaneLedger = LaneLedger(),
        oldestPendingAge: Duration? = nil,
        lastSuccess: Timestamp? = nil,
        status: LaneStatus = LaneStatus(),
        nextAttempt: Duration? = nil,
        lastFailure: LaneFailure? = nil,
        storageFailure: OutboxError? = nil
    ) {
        self.id = id
        self.ledger = ledger
        ledgerSinceOpening = ledger.since(opening)
        carriedOver = opening.pending
        self.oldestPendingAge = oldestPendingAge
        self.lastSuccess = lastSuccess
        pauseReason = status.pause
        consent = status.consent
        isServed = status.isServed
        heldEvents = status.heldEvents
        self.nextAttempt = nextAttempt
        self.lastFailure = lastFailure
        self.storageFailure = storageFailure
    }
}
