/// Where events wait on this device: packs, batches, quarantine and books, changed in transactions.
///
/// Contract: `commit` is atomic and, when it returns, survives a killed process; with `barrier` it and everything
/// before it survives a power loss. An error leaves everything as it was before the call, and never deletes anything.
/// An outbox is used from one executor only and blocks it for the time of its I/O. Checked by `OutboxContract` in
/// `EventDeliveryTesting`.
package protocol Outbox: AnyObject {
    /// Applies a change in one transaction.
    func commit(_ change: OutboxChange, barrier: Bool) throws(OutboxError)
    /// Everything that is kept of lanes.
    func lanes() throws(OutboxError) -> [StoredLane]
    /// The open batches of a lane, in order of their first pack.
    func batches(lane: Int) throws(OutboxError) -> [StoredBatch]
    /// The next deliverable packs of a lane after a place, in order, without their records.
    func summaries(lane: Int, after place: PackPlace?, limit: Int) throws(OutboxError) -> [PackSummary]
    /// One deliverable pack; `nil` when it is gone or its row is damaged beyond its records.
    func pack(at place: PackPlace) throws(OutboxError) -> Pack?
    /// The last deliverable or held pack of a lane.
    func lastSummary(lane: Int) throws(OutboxError) -> PackSummary?
    /// Whether the contents of another outbox were brought in under a name.
    func hasAdopted(_ name: String) -> Bool
    /// What a lane stores: deliverable and held events and bytes, by priority.
    func usage(lane: Int) throws(OutboxError) -> LaneUsage
    /// The packs of a lane that wait for consent, oldest first; few, since their budget is small.
    func heldPacks(lane: Int) throws(OutboxError) -> [Pack]
    /// The quarantined events of a lane, or of all lanes, oldest first.
    func quarantined(lane: LaneID?, limit: Int) throws(OutboxError) -> [QuarantinedEvent]
    /// Deletes all packs, held packs, batches and quarantined events of lanes so that no byte of them stays on disk.
    func purge(_ lanes: [StoredLane]) throws(OutboxError)
    /// Does the upkeep that can wait for a quiet moment.
    func maintain() throws(OutboxError)
    /// Writes out and closes; no call may follow.
    func close()
}

/// What a lane stores.
package struct LaneUsage: Sendable, Equatable {
    /// Deliverable events by priority, indexed by its raw value.
    package var events: [Int] = [0, 0, 0]
    /// Bytes of deliverable records.
    package var bytes = 0
    /// Events that wait for consent.
    package var heldEvents = 0
    /// Bytes of records that wait for consent.
    package var heldBytes = 0
    /// When the oldest deliverable pack was stored.
    package var oldest: StoredMoment?

    package init() {}

    /// Deliverable events of all priorities.
    package var totalEvents: Int { events.reduce(0, +) }
}
