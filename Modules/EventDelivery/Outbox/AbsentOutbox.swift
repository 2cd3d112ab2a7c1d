/// The outbox of a device that does not let the engine open a file: holds nothing and takes nothing.
///
/// With a ``BufferedOutbox`` before it everything stays in memory until a file can be opened.
final class AbsentOutbox: Outbox {
    private let reason: OutboxError

    /// Creates an outbox that refuses every change for a reason.
    init(_ reason: OutboxError) {
        self.reason = reason
    }

    func commit(_ change: OutboxChange, barrier: Bool) throws(OutboxError) { throw reason }
    func lanes() -> [StoredLane] { [] }
    func batches(lane: Int) -> [StoredBatch] { [] }
    func summaries(lane: Int, after place: PackPlace?, limit: Int) -> [PackSummary] { [] }
    func pack(at place: PackPlace) -> Pack? { nil }
    func lastSummary(lane: Int) -> PackSummary? { nil }
    func adoptions() -> Set<String> { [] }
    func usage(lane: Int) -> LaneUsage { LaneUsage() }
    func recount(lane: Int) -> LaneUsage { LaneUsage() }
    func heldPacks(lane: Int) -> [Pack] { [] }
    func quarantined(lane: LaneID?, limit: Int) -> [QuarantinedEvent] { [] }
    func purge(_ lanes: [StoredLane]) {}
    func maintain() {}
    var isPresent: Bool { true }
    func close() {}
}
