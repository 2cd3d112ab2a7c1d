package import CoreTracker

/// The outbox of a device that does not let the engine open a file: holds nothing and takes nothing.
///
/// With a ``BufferedOutbox`` before it everything stays in memory until a file can be opened.
package final class AbsentOutbox: Outbox {
    private let reason: OutboxError

    /// Creates an outbox that refuses every change for a reason.
    package init(_ reason: OutboxError) {
        self.reason = reason
    }

    package func commit(_ change: OutboxChange, barrier: Bool) throws(OutboxError) { throw reason }
    package func lanes() -> [StoredLane] { [] }
    package func batches(lane: Int) -> [StoredBatch] { [] }
    package func summaries(lane: Int, after place: PackPlace?, limit: Int) -> [PackSummary] { [] }
    package func pack(at place: PackPlace) -> Pack? { nil }
    package func lastSummary(lane: Int) -> PackSummary? { nil }
    package func adoptions() -> Set<String> { [] }
    package func usage(lane: Int) -> LaneUsage { LaneUsage() }
    package func recount(lane: Int) -> LaneUsage { LaneUsage() }
    package func heldPacks(lane: Int) -> [Pack] { [] }
    package func quarantined(lane: LaneID?, limit: Int) -> [QuarantinedEvent] { [] }
    package func purge(_ lanes: [StoredLane]) {}
    package func maintain() {}
    package var isPresent: Bool { true }
    package func close() {}
}
