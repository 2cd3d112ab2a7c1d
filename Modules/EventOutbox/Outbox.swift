package import CoreTracker

/// Where events wait on this device: packs, batches, quarantine and books, changed in transactions.
///
/// Contract: `commit` is atomic and, when it returns, survives a killed process; with `barrier` it and everything
/// before it survives a power loss. An error leaves everything as it was before the call, and never deletes anything.
/// A damaged row is not an error: a pack comes back with a count that its records do not reach, a lane says that it is
/// damaged, any other row is left out. An outbox is used from one executor only and blocks it for the time of its I/O.
/// Checked by `OutboxContract` in `EventDeliveryTesting`.
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
    /// The names of the outboxes whose contents were brought in.
    func adoptions() throws(OutboxError) -> Set<String>
    /// What a lane stores, by the outbox's own running count; it costs the same however much that is.
    func usage(lane: Int) throws(OutboxError) -> LaneUsage
    /// Counts anew what a lane stores, for when rows were damaged; reads every row.
    func recount(lane: Int) throws(OutboxError) -> LaneUsage
    /// The packs of a lane that wait for consent, oldest first; few, since their budget is small.
    func heldPacks(lane: Int) throws(OutboxError) -> [Pack]
    /// The quarantined events of a lane, or of all lanes, oldest first.
    func quarantined(lane: LaneID?, limit: Int) throws(OutboxError) -> [QuarantinedEvent]
    /// Deletes all packs, held packs, batches and quarantined events of lanes so that no byte of them stays on disk.
    func purge(_ lanes: [StoredLane]) throws(OutboxError)
    /// Does the upkeep that can wait for a quiet moment.
    func maintain() throws(OutboxError)
    /// Whether the next process would find what is stored: false once a file was unlinked or replaced.
    var isPresent: Bool { get }
    /// Writes out and closes; no call may follow.
    func close()
}
