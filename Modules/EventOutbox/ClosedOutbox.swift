package import CoreTracker

/// The outbox of a file that cannot be read for now: what it holds is not known, so every question fails.
///
/// It is not an ``AbsentOutbox``, which is known to hold nothing: events that nobody can see must not count as lost.
package final class ClosedOutbox: Outbox {
    private let reason: OutboxError

    /// Creates an outbox that refuses everything for a reason.
    package init(_ reason: OutboxError) {
        self.reason = reason
    }

    package func commit(_ change: OutboxChange, barrier: Bool) throws(OutboxError) { throw reason }
    package func lanes() throws(OutboxError) -> [StoredLane] { throw reason }
    package func batches(lane: Int) throws(OutboxError) -> [StoredBatch] { throw reason }
    package func summaries(lane: Int, after place: PackPlace?, limit: Int) throws(OutboxError) -> [PackSummary] {
        throw reason
    }
    package func pack(at place: PackPlace) throws(OutboxError) -> Pack? { throw reason }
    package func lastSummary(lane: Int) throws(OutboxError) -> PackSummary? { throw reason }
    package func adoptions() throws(OutboxError) -> Set<String> { throw reason }
    package func usage(lane: Int) throws(OutboxError) -> LaneUsage { throw reason }
    package func recount(lane: Int) throws(OutboxError) -> LaneUsage { throw reason }
    package func heldPacks(lane: Int) throws(OutboxError) -> [Pack] { throw reason }
    package func quarantined(lane: LaneID?, limit: Int) throws(OutboxError) -> [QuarantinedEvent] { throw reason }
    package func purge(_ lanes: [StoredLane]) throws(OutboxError) { throw reason }
    package func maintain() throws(OutboxError) { throw reason }
    package var isPresent: Bool { true }
    package func close() {}
}
