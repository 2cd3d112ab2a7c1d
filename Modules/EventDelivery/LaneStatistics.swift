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

    init(
        id: LaneID,
        ledger: LaneLedger,
        opening: LaneLedger = LaneLedger(),
        oldestPendingAge: Duration? = nil,
        lastSuccess: Timestamp? = nil,
        pauseReason: PauseReason? = nil
    ) {
        self.id = id
        self.ledger = ledger
        ledgerSinceOpening = ledger.since(opening)
        carriedOver = opening.pending
        self.oldestPendingAge = oldestPendingAge
        self.lastSuccess = lastSuccess
        self.pauseReason = pauseReason
    }
}
