/// How a lane stands, as the store has published it last.
package struct LaneStatus: Sendable, Equatable {
    /// Whether this run has a destination for the lane.
    package var isServed = false
    package var consent = Consent.granted
    /// Why the lane only probes; `nil` when it does not.
    package var pause: PauseReason?
    /// When the pause began; `nil` if the lane is not paused.
    package var pausedSince: Timestamp?
    /// Whether an earlier run has paused the lane, and this one has no answer yet.
    package var isPausedByEarlierRun = false
    /// The end of the wait.
    package var notBefore: MonotonicInstant?
    /// The number of the oldest event that has not been settled; `nil` when all have.
    package var firstUnsettled: Int64?
    /// Events that wait for consent.
    package var heldEvents = 0
    /// The number of the next event that is stored.
    package var nextNumber: Int64 = 1
    /// The ledger when the engine was opened, with what has been taken over from ended processes since.
    package var opening = LaneLedger()

    package init(
        isServed: Bool = false,
        consent: Consent = .granted,
        pause: PauseReason? = nil,
        pausedSince: Timestamp? = nil,
        isPausedByEarlierRun: Bool = false,
        notBefore: MonotonicInstant? = nil,
        firstUnsettled: Int64? = nil,
        heldEvents: Int = 0,
        nextNumber: Int64 = 1,
        opening: LaneLedger = LaneLedger()
    ) {
        self.isServed = isServed
        self.consent = consent
        self.pause = pause
        self.pausedSince = pausedSince
        self.isPausedByEarlierRun = isPausedByEarlierRun
        self.notBefore = notBefore
        self.firstUnsettled = firstUnsettled
        self.heldEvents = heldEvents
        self.nextNumber = nextNumber
        self.opening = opening
    }
}

extension LaneStatus {
    /// How a lane stands with regard to a flush that ends at a deadline.
    ///
    /// - Parameters:
    ///   - target: The number up to which events have to be settled; `nil` while they are not even stored.
    ///   - isOpen: Whether the engine is open.
    package func outcome(target: Int64?, isOpen: Bool, deadline: MonotonicInstant) -> FlushReport.Outcome {
        if let target, isSettled(target) { return .drained }
        guard isServed, isOpen else { return .unserved }
        guard consent == .granted else { return .withoutConsent }
        if let pause { return .paused(pause) }
        if let notBefore, notBefore > deadline { return .waiting }
        return .deadlinePassed
    }

    private func isSettled(_ target: Int64) -> Bool {
        // While neither disk nor memory has room, events wait in the intake, and have no number yet.
        guard nextNumber >= target, heldEvents == 0 || consent == .denied else { return false }
        return firstUnsettled.map { $0 >= target } ?? true
    }
}
