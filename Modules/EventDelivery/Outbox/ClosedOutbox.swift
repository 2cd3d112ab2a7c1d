/// The outbox of a file that cannot be read for now: what it holds is not known, so every question fails.
///
/// It is not an ``AbsentOutbox``, which is known to hold nothing: events that nobody can see must not count as lost.
final class ClosedOutbox: Outbox {
    private let reason: OutboxError

    /// Creates an outbox that refuses everything for a reason.
    init(_ reason: OutboxError) {
        self.reason = reason
    }

    func commit(_ change: OutboxChange, barrier: Bool) throws(OutboxError) { throw reason }
    func lanes() throws(OutboxError) -> [StoredLane] { throw reason }
    func batches(lane: Int) throws(OutboxError) -> [StoredBatch] { throw reason }
    func summaries(lane: Int, after place: PackPlace?, limit: Int) throws(OutboxError) -> [PackSummary] { throw reason }
    func pack(at place: PackPlace) throws(OutboxError) -> Pack? { throw reason }
    func lastSummary(lane: Int) throws(OutboxError) -> PackSummary? { throw reason }
    func adoptions() throws(OutboxError) -> Set<String> { throw reason }
    func usage(lane: Int) throws(OutboxError) -> LaneUsage { throw reason }
    func recount(lane: Int) throws(OutboxError) -> LaneUsage { throw reason }
    func heldPacks(lane: Int) throws(OutboxError) -> [Pack] { throw reason }
    func quarantined(lane: LaneID?, limit: Int) throws(OutboxError) -> [QuarantinedEvent] { throw reason }
    func purge(_ lanes: [StoredLane]) throws(OutboxError) { throw reason }
    func maintain() throws(OutboxError) { throw reason }
    var isPresent: Bool { true }
    func close() {}
}
