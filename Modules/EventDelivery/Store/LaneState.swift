/// What the store knows of a lane: its stored row, what lies in the outbox for it, and where it delivers to.
struct LaneState {
    var stored: StoredLane
    let destination: (any Destination)?
    var consent: Consent
    var usage = LaneUsage()
    /// The open batches, in order; the first that is not deferred is sent next.
    var batches: [StoredBatch] = []
    /// The batch that is being sent.
    var leased: EventID?
    /// The books when the engine was opened.
    var opening = LaneLedger()
    /// When the lane may send again, as its runner has said last.
    var waitsUntil: MonotonicInstant?
    var gateReason: LaneGate.Reason?
    /// Batches acknowledged in a row since the body limit was learnt.
    var successesAtLimit = 0
    /// Wakes the lane's runner.
    let wake = WakeSignal()

    init(stored: StoredLane, destination: (any Destination)?, consent: Consent) {
        self.stored = stored
        self.destination = destination
        self.consent = consent
    }

    /// The places of the packs that belong to a batch.
    var batchedPlaces: Set<PackPlace> {
        Set(batches.lazy.flatMap(\.packs))
    }

    /// What one request may hold, with what a 413 has taught.
    var limits: BatchLimits? {
        guard var limits = destination?.limits else { return nil }
        if stored.learnedBodyBytes > 0 { limits.bodyBytes = min(limits.bodyBytes, stored.learnedBodyBytes) }
        return limits
    }

    mutating func account(_ pack: PackSummary, sign: Int) {
        usage.count(pack, sign: sign)
    }

    mutating func accountHeld(_ pack: PackSummary, sign: Int) {
        usage.countHeld(pack, sign: sign)
    }

    /// Forgets what an outbox holds of the lane, because another one takes its place.
    mutating func forgetStored() {
        stored = StoredLane(number: 0, id: stored.id)
        usage = LaneUsage()
        batches = []
        leased = nil
    }
}
