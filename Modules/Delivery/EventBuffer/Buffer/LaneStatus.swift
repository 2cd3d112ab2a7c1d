/// The state of a lane that the store published last.
package struct LaneStatus: Sendable, Equatable {
    /// Whether this run has a destination for the lane.
    package var hasDestination = false
    package var consent = Consent.granted
    /// The reason for which the lane only probes, if any.
    package var pause: PauseReason?
    /// The start of the pause, or `nil` if the lane is not paused.
    package var pausedSince: Timestamp?
    /// Whether an earlier run has paused the lane and this run has no response yet.
    package var isPausedByEarlierRun = false
    /// The reasons for which the app holds the lane.
    package var holds: Set<HoldReason> = []
    /// The end of the lane's wait, if any.
    package var notBefore: MonotonicInstant?
    /// The number of the oldest event that is not settled, or `nil` if all events are settled.
    package var firstUnsettled: Int64?
    /// The number of events that are held until the user consents.
    package var heldEvents = 0
    /// The number that the next stored event gets.
    package var nextNumber: Int64 = 1
    /// The ledger when the queue file was opened last.
    package var opening = LaneLedger()

    package init(
        hasDestination: Bool = false,
        consent: Consent = .granted,
        pause: PauseReason? = nil,
        pausedSince: Timestamp? = nil,
        isPausedByEarlierRun: Bool = false,
        holds: Set<HoldReason> = [],
        notBefore: MonotonicInstant? = nil,
        firstUnsettled: Int64? = nil,
        heldEvents: Int = 0,
        nextNumber: Int64 = 1,
        opening: LaneLedger = LaneLedger()
    ) {
        self.hasDestination = hasDestination
        self.consent = consent
        self.pause = pause
        self.pausedSince = pausedSince
        self.isPausedByEarlierRun = isPausedByEarlierRun
        self.holds = holds
        self.notBefore = notBefore
        self.firstUnsettled = firstUnsettled
        self.heldEvents = heldEvents
        self.nextNumber = nextNumber
        self.opening = opening
    }
}

extension LaneStatus {
    /// Returns the lane's outcome for a flush.
    ///
    /// - Parameters:
    ///   - target: The number up to which events must be settled, or `nil` if they are not stored yet.
    ///   - isOpen: Whether the engine is open.
    ///   - deadline: The end of the flush.
    package func outcome(target: Int64?, isOpen: Bool, deadline: MonotonicInstant) -> FlushReport.Outcome {
        if let target, isSettled(target) { return .drained }
        guard hasDestination, isOpen else { return .noDestination }
        guard consent == .granted else { return .withoutConsent }
        if !holds.isEmpty { return .onHold(holds) }
        if let pause { return .paused(pause) }
        if let notBefore, notBefore > deadline { return .waiting }
        return .deadlinePassed
    }

    private func isSettled(_ target: Int64) -> Bool {
        // If neither disk nor memory has capacity, events stay in the buffer without a number.
        guard nextNumber >= target, heldEvents == 0 || consent == .denied else { return false }
        return firstUnsettled.map { $0 >= target } ?? true
    }
}
